import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type AlertChannel, withoutSecrets } from './alert-channel.ts'
import type { Answer, Message } from './post-message.ts'
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
export function requestFor({ kind, url, secret }: AlertChannel, message: AlertMessage, now: Date): Message {
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
export function refusalOf(channel: AlertChannel, { status, body }: Answer): string | null {
  if (status < 200 || status > 299) return `answered ${status}`
  if (channel.kind === 'webhook') return null
  const verdict = verdicts[channel.kind].safeParse(parseJson(body))
  if (!verdict.success) return 'answered without a verdict'
  const { code, words } = verdict.data
  return code === 0 ? null : withoutSecrets(`answered ${code} ${words}`.trim(), channel).slice(0, longestWord)
}
