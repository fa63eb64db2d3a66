import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { Post } from '../../platform/network/post-message.ts'
import { type AlertChannel, makeChannel, withoutSecrets } from './alert-channel.ts'
import { reasonOf, type Send } from './send-message.ts'
import type { AlertNews } from './write-message.ts'

const { sql } = Prisma

type Heartbeat = { pool: Pool; post: Post; url: string }

const isDueSql = (id: string): Prisma.Sql => sql`
  SELECT 1 AS due FROM alert_channels WHERE id = ${id}
    AND greatest(last_success_at, last_failure_at, '-infinity') <= business_now() - interval '55 seconds'`

const calledSql = (id: string, refusal: string | null): Prisma.Sql => sql`
  UPDATE alert_channels SET
    last_success_at = CASE WHEN ${refusal}::text IS NULL THEN business_now() ELSE last_success_at END,
    last_failure_at = CASE WHEN ${refusal}::text IS NULL THEN last_failure_at ELSE business_now() END,
    failures = CASE WHEN ${refusal}::text IS NULL THEN 0 ELSE failures + 1 END,
    last_error = coalesce(${refusal}, last_error)
  WHERE id = ${id}`

/** The address of the dead man's switch as the console lists it: beside the channels, told of no alert. */
export function heartbeatCard(url: string) {
  const { id, host } = makeChannel('webhook', url)
  return { id: `heartbeat-${id}`, kind: 'heartbeat', host }
}

/**
 * The dead man's switch: calls its address once a minute, after the alerts could be read. When the calls stay away,
 * whoever watches that address knows that no alert can arrive: no process lives, or none reaches the database.
 */
export async function callHeartbeat({ pool, post, url }: Heartbeat): Promise<void> {
  const { id } = heartbeatCard(url)
  const due = await execute(pool, query('is-heartbeat-due', isDueSql(id)))
  if (due.length === 0) return
  const refusal = await post({ url, method: 'GET' }).then(
    ({ status }) => (status >= 200 && status <= 299 ? null : `answered ${status}`),
    (error: unknown) => withoutSecrets(reasonOf(error), { url, secret: null }),
  )
  await execute(pool, query('heartbeat-called', calledSql(id, refusal)))
}

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
