import { createHmac } from 'node:crypto'
import { z } from 'zod'
import {
  type Answer,
  type Message,
  type Post,
  patienceMs,
  postWith,
} from '../../platform/network/post-message.ts'
import type { Services } from '../../services.ts'
import { type AlertChannel, withoutSecrets } from './alert-channel.ts'
import { type AlertMessage, toJson, toText } from './write-message.ts'

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64')

type Spoken = { text: string; secret: string; now: Date }

/** WeCom group robot: the key in its address is all the proof it wants; a text holds 2,048 bytes. */
const toWecom = (url: string, { text }: Spoken): Message => ({
  url,
  method: 'POST',
  body: JSON.stringify({ msgtype: 'text', text: { content: text } }),
})

/** DingTalk robot with a signature: HMAC-SHA256 of milliseconds and secret under the secret, in the query. */
function toDingtalk(url: string, { text, secret, now }: Spoken): Message {
  const signed = new URL(url)
  const timestamp = String(now.getTime())
  signed.searchParams.set('timestamp', timestamp)
  signed.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`))
  return {
    url: signed.href,
    method: 'POST',
    body: JSON.stringify({ msgtype: 'text', text: { content: text } }),
  }
}

/** Feishu robot with a signature: HMAC-SHA256 of nothing under seconds and secret, in the body. */
function toFeishu(url: string, { text, secret, now }: Spoken): Message {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const sign = hmac(`${timestamp}\n${secret}`, '')
  return {
    url,
    method: 'POST',
    body: JSON.stringify({ timestamp, sign, msg_type: 'text', content: { text } }),
  }
}

const robots = { wecom: toWecom, dingtalk: toDingtalk, feishu: toFeishu } as const

/** A message as its channel wants it: signed, and as text or as JSON. */
function requestFor({ kind, url, secret }: AlertChannel, message: AlertMessage, now: Date): Message {
  if (kind === 'webhook') return { url, method: 'POST', body: JSON.stringify(toJson(message)) }
  return robots[kind](url, { text: toText(message), secret: secret ?? '', now })
}

const Errcode = z
  .object({ errcode: z.int(), errmsg: z.string().default('') })
  .transform(({ errcode, errmsg }) => ({ code: errcode, words: errmsg }))
const Code = z
  .object({ code: z.int(), msg: z.string().default('') })
  .transform(({ code, msg }) => ({ code, words: msg }))
const verdicts = { wecom: Errcode, dingtalk: Errcode, feishu: Code } as const

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const longestWord = 200

/**
 * Why an answer does not say that the message was taken; null where it does. Robots answer 200 whatever became of the
 * message: only a body with `errcode` 0 (WeCom, DingTalk) or `code` 0 (Feishu) is believed.
 */
function refusalOf(channel: AlertChannel, { status, body }: Answer): string | null {
  if (status < 200 || status > 299) return `answered ${status}`
  if (channel.kind === 'webhook') return null
  const verdict = verdicts[channel.kind].safeParse(parseJson(body))
  if (!verdict.success) return 'answered without a verdict'
  const { code, words } = verdict.data
  return code === 0 ? null : withoutSecrets(`answered ${code} ${words}`.trim(), channel).slice(0, longestWord)
}

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
  const post: Post = postWith(config.alerts.allowPrivate ? 'inside' : 'public')
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
