import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

export type RobotKind = 'wecom' | 'dingtalk' | 'feishu' | 'webhook'
export type Mood = 'well' | 'refuses in its body' | 'fails' | 'hangs' | 'redirects' | 'babbles'

const Content = z.union([
  z.object({ msgtype: z.literal('text'), text: z.object({ content: z.string() }) }),
  z.object({ msg_type: z.literal('text'), content: z.object({ text: z.string() }) }),
])
const Signed = z.object({ timestamp: z.string(), sign: z.string() })

const secrets: Record<RobotKind, string> = {
  wecom: '',
  dingtalk: 'SECdingtalk0123456789',
  feishu: 'feishuSecret0123456789',
  webhook: '',
}
const paths: Record<RobotKind, string> = {
  wecom: '/cgi-bin/webhook/send?key=wecom-key-0123456789',
  dingtalk: '/robot/send?access_token=dingtalk-token-0123456789',
  feishu: '/open-apis/bot/v2/hook/feishu-hook-0123456789',
  webhook: '/hook/webhook-path-0123456789',
}
const hourMs = 3_600_000

/** DingTalk: HMAC-SHA256 of `timestamp\nsecret` under the secret, milliseconds, within an hour of its own clock. */
function isSignedForDingtalk(url: URL): boolean {
  const [timestamp, sign] = [url.searchParams.get('timestamp') ?? '', url.searchParams.get('sign') ?? '']
  const secret = secrets.dingtalk
  const expected = createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64')
  return /^\d{13}$/.test(timestamp) && Math.abs(Date.now() - Number(timestamp)) < hourMs && sign === expected
}

/** Feishu: HMAC-SHA256 of nothing under `timestamp\nsecret`, seconds, within an hour of its own clock. */
function isSignedForFeishu(body: unknown): boolean {
  const signed = Signed.safeParse(body)
  if (!signed.success) return false
  const { timestamp, sign } = signed.data
  const expected = createHmac('sha256', `${timestamp}\n${secrets.feishu}`).digest('base64')
  const isFresh = Math.abs(Date.now() - Number(timestamp) * 1000) < hourMs
  return /^\d{10}$/.test(timestamp) && isFresh && sign === expected
}

const textOf = (body: unknown): string => {
  const content = Content.parse(body)
  return 'text' in content ? content.text.content : content.content.text
}

type Verdict = { status: number; body: unknown; text: string | null }

/** What a robot of this kind answers to a message, as their documentation has it. */
function judge(kind: RobotKind, url: URL, body: unknown): Verdict {
  if (kind === 'webhook') return { status: 204, body: '', text: JSON.stringify(body) }
  if (kind === 'dingtalk' && !isSignedForDingtalk(url))
    return { status: 200, body: { errcode: 310000, errmsg: 'sign not match' }, text: null }
  if (kind === 'feishu' && !isSignedForFeishu(body))
    return {
      status: 200,
      body: { code: 19021, msg: 'sign match fail or timestamp is not within one hour' },
      text: null,
    }
  const text = textOf(body)
  if (kind === 'wecom' && Buffer.byteLength(text) > 2048)
    return { status: 200, body: { errcode: 40058, errmsg: 'content exceed max length' }, text: null }
  const said = kind === 'feishu' ? { code: 0, msg: 'success', data: {} } : { errcode: 0, errmsg: 'ok' }
  return { status: 200, body: said, text }
}

const refusals: Record<RobotKind, unknown> = {
  wecom: { errcode: 93000, errmsg: `invalid webhook url, ${paths.wecom}` },
  dingtalk: { errcode: 300001, errmsg: 'token is not exist' },
  feishu: { code: 9499, msg: 'Bad Request' },
  webhook: {},
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  return text ? JSON.parse(text) : null
}

/** A robot of a group chat, or a program with a webhook, as a real server that judges what it gets. */
export async function startRobot(kind: RobotKind) {
  /** What arrived and was taken: texts, of a webhook the JSON. */
  const taken: string[] = []
  let asked = 0
  let mood: Mood = 'well'
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked += 1
    const url = new URL(request.url ?? '/', 'http://robot')
    const body = await readBody(request)
    const reply = (status: number, said: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(said === '' ? '' : JSON.stringify(said))
    if (mood === 'hangs') return
    if (mood === 'fails') return reply(500, refusals[kind])
    if (mood === 'babbles') return response.writeHead(200).end('<html>welcome to the proxy</html>')
    if (mood === 'redirects') return response.writeHead(302, { location: paths[kind] }).end()
    if (mood === 'refuses in its body') return reply(kind === 'webhook' ? 400 : 200, refusals[kind])
    const verdict = judge(kind, url, body)
    if (verdict.text !== null) taken.push(verdict.text)
    return reply(verdict.status, verdict.body)
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}${paths[kind]}`
  return {
    kind,
    url,
    /** As `ALERT_CHANNELS` names it. */
    setting: `${kind}:${url}${secrets[kind] && `#${secrets[kind]}`}`,
    taken,
    asked: () => asked,
    feel: (next: Mood) => {
      mood = next
    },
    secrets: [paths[kind].split(/[=/]/).at(-1) ?? '', secrets[kind]].filter(Boolean),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type Robot = Awaited<ReturnType<typeof startRobot>>
