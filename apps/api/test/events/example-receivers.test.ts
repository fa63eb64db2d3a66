import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { newWebhookSecret, webhookHeaders } from '../../src/events/sign-webhook.ts'

const examples = path.resolve(import.meta.dirname, '../../../../examples/webhooks')

const receivers = [
  { name: 'receiver.mjs', program: process.execPath },
  // Debian: apt-get install python3. Whoever tests needs it, since the example is promised to work.
  { name: 'receiver.py', program: 'python3' },
]

const started: ReturnType<typeof spawn>[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill()
})

/** Starts an example as its first line says, and waits until it listens. */
async function start({ name, program }: (typeof receivers)[number]) {
  const secret = newWebhookSecret()
  const child = spawn(program, [path.join(examples, name)], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  started.push(child)
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
    lines.once('line', (line) => resolve(line.replace('port ', '')))
  })
  const said: string[] = []
  lines.on('line', (line) => said.push(line))
  /** All that it did, once it has ended. */
  const done = async () => {
    child.kill()
    await closed
    return said
  }
  const post = async (body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
  return { secret, port, post, done }
}

const body = JSON.stringify({
  type: 'order.paid',
  timestamp: '2026-12-01T00:00:00.000Z',
  data: { seq: 1, name: '月度' },
})
const id = 'evt_01JDZ3V0H8X2B6M4N5P7Q9R1ST'
const minute = 60_000
const agoBy = (ms: number) => new Date(Date.now() - ms)

describe.each(receivers)('the example $name', (receiver) => {
  test('takes a message that is signed by its secret, and does what it asks for once however often it comes', async () => {
    const { secret, post, done } = await start(receiver)
    const headers = webhookHeaders({ id, at: new Date(), body, secrets: [secret] })
    expect(await post(body, headers)).toBe(204)
    expect(await post(body, headers)).toBe(204)
    const other = webhookHeaders({ id: `${id}2`, at: new Date(), body, secrets: [secret] })
    expect(await post(body, other)).toBe(204)
    expect(await done()).toEqual([`${id} order.paid`, `${id}2 order.paid`])
  })

  test('takes a message that the old and the new secret sign, whichever of them it has', async () => {
    const { secret, post } = await start(receiver)
    for (const secrets of [
      [secret, newWebhookSecret()],
      [newWebhookSecret(), secret],
    ])
      expect(await post(body, webhookHeaders({ id, at: new Date(), body, secrets }))).toBe(204)
  })

  test('refuses what another secret signed, another body, another id and no signature at all', async () => {
    const { secret, post, done } = await start(receiver)
    const at = new Date()
    const genuine = webhookHeaders({ id, at, body, secrets: [secret] })
    expect(await post(body, webhookHeaders({ id, at, body, secrets: [newWebhookSecret()] }))).toBe(401)
    expect(await post(body.replace('paid', 'closed'), genuine)).toBe(401)
    expect(await post(body, { ...genuine, 'webhook-id': `${id}2` })).toBe(401)
    expect(await post(body, { ...genuine, 'webhook-signature': 'v1,' })).toBe(401)
    expect(await post(body, {})).toBe(401)
    expect(await done()).toEqual([])
  })

  test('refuses what was signed more than five minutes ago or ahead', async () => {
    const { secret, post, done } = await start(receiver)
    const signedAt = (at: Date) => post(body, webhookHeaders({ id, at, body, secrets: [secret] }))
    expect(await signedAt(agoBy(6 * minute))).toBe(401)
    expect(await signedAt(agoBy(-6 * minute))).toBe(401)
    expect(await signedAt(agoBy(4 * minute))).toBe(204)
    expect(await done()).toEqual([`${id} order.paid`])
  })

  test('refuses a body longer than any event before it reads it', async () => {
    const { port } = await start(receiver)
    const headers = { 'content-length': 70_000 }
    const asked = request({ port, host: '127.0.0.1', method: 'POST', headers })
    asked.flushHeaders()
    const [answer] = await once(asked, 'response')
    expect(answer).toMatchObject({ statusCode: 413 })
    asked.destroy()
  })
})
