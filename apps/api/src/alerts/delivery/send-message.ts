import type { Services } from '../../services.ts'
import { type AlertChannel, withoutSecrets } from './alert-channel.ts'
import { type Post, patienceMs, postWith } from './post-message.ts'
import { refusalOf, requestFor } from './robot-payload.ts'
import type { AlertMessage } from './write-message.ts'

/** Sends a message by a channel. Answers why it was not taken; null where it was. */
export type Send = (channel: AlertChannel, message: AlertMessage) => Promise<string | null>

/** What went wrong on the way, in few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${patienceMs / 1000} seconds`
  return error.message || ('code' in error ? String(error.code) : error.name)
}

/** Sends as the settings permit; whatever goes wrong is an answer, never an error. */
export function sendWith({ config, log }: Pick<Services, 'config' | 'log'>): Send {
  const post: Post = postWith(config.alerts.allowPrivate)
  return async (channel, message) => {
    // Robots stand outside: their signatures are of the machine's time, also where a sandbox has moved its clock.
    const refusal = await post(requestFor(channel, message, new Date())).then(
      (answer) => refusalOf(channel, answer),
      (error: unknown) => withoutSecrets(reasonOf(error), channel),
    )
    const { id, kind, host } = channel
    if (refusal !== null)
      log.warn({ component: 'alerts', channel: { id, kind, host }, refusal }, 'alert not taken')
    return refusal
  }
}
