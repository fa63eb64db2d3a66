import { randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { Purchase, Subscription, TokenPair } from '@meridian/contracts'
import { z } from 'zod'
import type { Chance } from './chance.ts'
import type { Figures } from './figures.ts'
import type { World } from './open-world.ts'

/** Somebody with a phone who has been in the shop, and may look again what they have. */
export type Shopper = { name: string; look: () => Promise<Subscription> }

type Visit = { world: World; chance: Chance; figures: Figures }
type Request = { path: string; method?: string; body?: object; headers?: Record<string, string> }
type Answer = { status: number; body: unknown }

const plans = ['monthly', 'monthly', 'monthly', 'quarterly', 'yearly'] as const
const patienceMs = 180_000
const pauseMs = 400

async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function callOnce(
  url: string,
  { path, method = 'POST', body, headers = {} }: Request,
): Promise<Answer> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : null }
}

const Problem = z.object({ code: z.string() })
const isInProgress = ({ status, body }: Answer) =>
  status === 409 && Problem.safeParse(body).data?.code === 'idempotency_in_progress'

/** As the client of a mini-program does it: what failed is asked again, of whichever program answers. */
async function call({ world, chance, figures }: Visit, request: () => Promise<Request>): Promise<Answer> {
  let last = 'nobody answered'
  for (const patienceEnds = Date.now() + patienceMs; Date.now() < patienceEnds; ) {
    try {
      const answer = await callOnce(chance.oneOf(world.replicas).url, await request())
      if (answer.status < 500 && !isInProgress(answer)) return answer
      last = `${answer.status} ${JSON.stringify(answer.body)}`
    } catch (error) {
      last = String(error)
    }
    figures['calls repeated by phones'] += 1
    await scheduler.wait(pauseMs)
  }
  throw new Error(`A phone gave up: ${last}`)
}

async function logIn(visit: Visit, user: string): Promise<Record<string, string>> {
  const Code = z.object({ code: z.string() })
  const { body } = await call(visit, async () => {
    const { code } = Code.parse(await post(`${visit.world.sandboxUrl}/phone/login`, { user }))
    return { path: '/auth/login', body: { code } }
  })
  return { authorization: `Bearer ${TokenPair.parse(body).access_token}` }
}

/** What becomes of an order: most are paid, and some of those who paid ask how it stands. */
async function settle(
  visit: Visit,
  { user, purchase, signed }: { user: string; purchase: Purchase; signed: Record<string, string> },
) {
  const { world, chance, figures } = visit
  const path = `/subscription/orders/${purchase.order.out_trade_no}`
  if (chance.of(0.12)) {
    figures['orders left unpaid'] += 1
    return
  }
  if (chance.of(0.08)) {
    await call(visit, async () => ({ path: `${path}/cancel`, headers: signed }))
    figures['orders cancelled'] += 1
    return
  }
  await scheduler.wait(chance.between(0, 500))
  await post(`${world.sandboxUrl}/phone/pay`, { user, params: purchase.payment_params })
  figures['orders paid'] += 1
  if (chance.of(0.25)) await call(visit, async () => ({ path: `${path}/sync`, headers: signed }))
}

/** One person buys twice. The second wish closes the first one's order where that was left unpaid. */
export async function shop(visit: Visit): Promise<Shopper> {
  const { chance, figures } = visit
  const name = randomUUID()
  const signed = await logIn(visit, name)
  figures.shoppers += 1
  for (const wish of [1, 2]) {
    const [plan_code, key] = [chance.oneOf(plans), `${name}-${wish}`]
    const headers = { ...signed, 'idempotency-key': key }
    const { status, body } = await call(visit, async () => ({
      path: '/subscription/purchase',
      body: { plan_code },
      headers,
    }))
    if (status >= 300) throw new Error(`A purchase was answered ${status} ${JSON.stringify(body)}`)
    figures.orders += 1
    await settle(visit, { user: name, purchase: Purchase.parse(body), signed })
  }
  const look = async () => {
    const { body } = await call(visit, async () => ({
      path: '/subscription',
      method: 'GET',
      headers: signed,
    }))
    return Subscription.parse(body)
  }
  return { name, look }
}
