import type { AlertChannel } from './alert-channel.ts'
import type { Send } from './send-message.ts'
import type { AlertNews } from './write-message.ts'

type Watch = {
  channels: readonly AlertChannel[]
  send: Send
  consoleUrl: string
  /** How long the database may be away before that is alerted. */
  patienceMs: number
  /** The clock of the business. */
  clock: () => Date
}

/** Not a row of the table of alerts, which cannot be written then: `id` is the moment it began. */
const newsOf = (since: Date, overAt: Date | null): AlertNews => ({
  id: `database-${since.getTime()}`,
  kind: 'database_unreachable',
  severity: 'critical',
  subject: '',
  times: 1,
  openedAt: since,
  overAt,
  healedBy: overAt && 'condition_over',
})

/**
 * What nobody can read from the database any more: that it is unreachable. The process that held the lease last tells
 * it to every channel once, and that it is over; the others cannot know whether somebody did. Each channel gets one
 * attempt. `reached` and `missed` say how the last look at the lease went.
 */
export function watchDatabase({ channels, send, consoleUrl, patienceMs, clock }: Watch) {
  let wasHolder = false
  let missingSince: Date | null = null
  let alerted = false
  const alert = (kind: 'opened' | 'over', news: AlertNews) =>
    Promise.all(channels.map((channel) => send(channel, { kind, news, consoleUrl })))
  return {
    reached: async (held: boolean): Promise<void> => {
      if (alerted && missingSince) await alert('over', newsOf(missingSince, clock()))
      wasHolder = held
      missingSince = null
      alerted = false
    },
    /** @throws the same error again */
    missed: async (error: unknown): Promise<void> => {
      missingSince ??= clock()
      if (wasHolder && !alerted && clock().getTime() - missingSince.getTime() >= patienceMs) {
        alerted = true
        await alert('opened', newsOf(missingSince, null))
      }
      throw error
    },
  }
}
