import { randomUUID } from 'node:crypto'
import type { Order, Purchase, TokenPair } from '@meridian/contracts'
import { readClock } from './move-clock.ts'
import { world } from './world.ts'

export type Phone = Awaited<ReturnType<typeof unlockPhone>>

/** A phone without a screen, for journeys that are about the console: it buys and pays over the same contract. */
export async function unlockPhone(user: string = randomUUID()) {
  const { code } = await post<{ code: string }>('/phone/login', { user })
  const { access_token } = await post<TokenPair>('/api/v1/auth/login', { code })
  const signed = { authorization: `Bearer ${access_token}` }
  const buys = async (planCode: string): Promise<Purchase> =>
    post<Purchase>(
      '/api/v1/subscription/purchase',
      { plan_code: planCode },
      { ...signed, 'idempotency-key': randomUUID() },
    )
  const pays = async (purchase: Purchase): Promise<Order> => {
    await post('/phone/pay', { user, params: purchase.payment_params })
    return purchase.order
  }
  const cancels = ({ order }: Purchase) =>
    post(`/api/v1/subscription/orders/${order.out_trade_no}/cancel`, {}, signed)
  /** Who the API says this is. */
  const isKnownAs = async () => {
    const response = await fetch(`${world().sandboxUrl}/api/v1/me`, { headers: signed })
    const me: { id?: string; code?: string } = await response.json()
    return me.id ?? me.code
  }
  const binds = (serialNumber: string) =>
    post('/api/v1/devices/bind', { serial_number: serialNumber, model: 'M1' }, signed)
  /** A scan of a minute ago, as the wearable measured it. Answers the report's id. */
  const scans = async (): Promise<string> => {
    const started = (await readClock(world().sandboxUrl)) - 60_000
    const measurements = Array.from({ length: 120 }, (_, step) => ({
      t_ms: step * 50,
      channel: step % 2 === 0 ? 'left' : 'right',
      microvolts: Math.round(400 + 300 * Math.sin(step / 7)),
    }))
    const report = {
      client_report_id: randomUUID(),
      kind: 'scan',
      serial_number: 'MER-0001',
      started_at: new Date(started).toISOString(),
      ended_at: new Date(started + 6_000).toISOString(),
      score: 82,
      summary: { posture: '良好', symmetry: 0.93 },
      measurements,
    }
    return (await post<{ id: string }>('/api/v1/reports', report, signed)).id
  }
  return {
    user,
    isKnownAs,
    binds,
    scans,
    buys,
    cancels,
    pays,
    buysAndPays: async (planCode: string) => pays(await buys(planCode)),
  }
}

async function post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(`${world().sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}
