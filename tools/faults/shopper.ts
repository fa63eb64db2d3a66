import { randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { Purchase, Subscription, TokenPair } from '@meridian/contracts'
import { z } from 'zod'
import { call, post, type Visit } from './phone-calls.ts'

/** Somebody with a phone who has been in the shop, and may look again what they have. */
export type Shopper = { name: string; look: () => Promise<Subscription> }

const plans = ['monthly', 'monthly', 'monthly', 'quarterly', 'yearly'] as const
/** As often as the network loses a notification. */
const pushLostForGood = 0.1

const Code = z.object({ code: z.string() })
const loginCode = async ({ world }: Visit, user: string): Promise<string> =>
  Code.parse(await post(`${world.sandboxUrl}/phone/login`, { user })).code

/** Signs somebody in; answers the headers of their calls. */
export async function logIn(visit: Visit, user: string): Promise<Record<string, string>> {
  const { body } = await call(visit, async () => ({
    path: '/auth/login',
    body: { code: await loginCode(visit, user) },
  }))
  return { authorization: `Bearer ${TokenPair.parse(body).access_token}` }
}

/** What somebody wants to buy, and with which phone: by which channel it is sold is the shop's own matter. */
type Wish = { user: string; key: string; plan: (typeof plans)[number]; system: System }
type System = 'ios' | 'android' | 'other'

type Customer = { visit: Visit; wish: Wish; signed: Record<string, string> }

/** Buys, or carries on under the same key. Every call has a login code of its own, as the client sends one. */
async function buy({ visit, wish, signed }: Customer): Promise<Purchase> {
  const { user, key, plan, system } = wish
  const headers = { ...signed, 'idempotency-key': key, 'x-client-platform': system }
  const { status, body } = await call(visit, async () => ({
    path: '/subscription/purchase',
    body: { plan_code: plan, channels: ['jsapi', 'virtual'], login_code: await loginCode(visit, user) },
    headers,
  }))
  if (status >= 300) throw new Error(`A purchase was answered ${status} ${JSON.stringify(body)}`)
  return Purchase.parse(body)
}

const sheetPauseMs = 3_000
const sheetsAtMost = 10

/** Opens the sheet of a purchase; refused where somebody logged in since it was signed. Then it is bought anew. */
async function openSheet(customer: Customer, first: Purchase): Promise<{ number: string }> {
  const { visit, wish } = customer
  const { user, system } = wish
  let purchase = first
  for (let sheet = 1; ; sheet += 1) {
    const params = purchase.payment_params
    const opened = await fetch(`${visit.world.sandboxUrl}/phone/virtual-sheet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user, system, params }),
    })
    const answer: unknown = await opened.json()
    if (opened.ok) return { number: Opened.parse(answer).outTradeNo }
    if (sheet === sheetsAtMost) throw new Error(`No sheet could be opened: ${JSON.stringify(answer)}`)
    visit.figures['sheets refused'] += 1
    await scheduler.wait(sheetPauseMs)
    purchase = await buy(customer)
  }
}
const Opened = z.object({ outTradeNo: z.string() })

/** Pays an open sheet; now and then nobody is ever told of it. */
async function confirmSheet({ visit, wish }: Customer, number: string): Promise<void> {
  const { world, chance, figures } = visit
  figures['notifications departed'] += 1
  if (chance.of(pushLostForGood)) {
    figures['notifications lost for good'] += 1
    await post(`${world.sandboxUrl}/sandbox/virtual/pay`, { number, silent: true })
  } else await post(`${world.sandboxUrl}/phone/virtual-pay`, { user: wish.user, number })
}

/** One sheet, or one that is left and another of the same order, of which now and then both are paid. */
async function payVirtually(customer: Customer, purchase: Purchase): Promise<void> {
  const { chance, figures } = customer.visit
  const first = await openSheet(customer, purchase)
  if (!chance.of(0.12)) return confirmSheet(customer, first.number)
  const second = await openSheet(customer, await buy(customer))
  await confirmSheet(customer, chance.oneOf([first, second]).number)
  if (!chance.of(0.5)) return
  const numbers = await paidNumbers(customer)
  const unpaid = [first, second].find(({ number }) => !numbers.has(number))
  if (!unpaid) return
  await confirmSheet(customer, unpaid.number)
  figures['orders paid twice'] += 1
}

async function paidNumbers({ visit, wish }: Customer): Promise<Set<string>> {
  const paid = await post(`${visit.world.sandboxUrl}/phone/virtual-payments`, { user: wish.user })
  return new Set(
    z
      .array(z.object({ number: z.string() }))
      .parse(paid)
      .map(({ number }) => number),
  )
}

const payByJsapi = ({ visit, wish }: Customer, { payment_params: params }: Purchase) =>
  post(`${visit.world.sandboxUrl}/phone/pay`, { user: wish.user, params })

/** What becomes of an order: most are paid, and some of those who paid ask how it stands. */
async function settle(customer: Customer, purchase: Purchase): Promise<void> {
  const { visit, signed } = customer
  const { chance, figures } = visit
  const path = `/subscription/orders/${purchase.order.out_trade_no}`
  const isVirtual = purchase.order.channel === 'virtual'
  if (isVirtual) figures['orders of virtual payment'] += 1
  if (chance.of(0.12)) {
    figures['orders left unpaid'] += 1
    if (!isVirtual || chance.of(0.5)) return
    await openSheet(customer, purchase)
    figures['sheets opened and left'] += 1
    return
  }
  if (chance.of(0.08)) {
    await call(visit, async () => ({ path: `${path}/cancel`, headers: signed }))
    figures['orders cancelled'] += 1
    return
  }
  await scheduler.wait(chance.between(0, 500))
  if (isVirtual) await payVirtually(customer, purchase)
  else await payByJsapi(customer, purchase)
  figures['orders paid'] += 1
  if (isVirtual) figures['of those, by virtual payment'] += 1
  if (chance.of(0.25)) await call(visit, async () => ({ path: `${path}/sync`, headers: signed }))
}

export type Order = {
  pay: () => Promise<void>
  /** Deletes the account of whoever ordered. */
  deleteAccount: () => Promise<void>
}

/** Somebody new orders once, and pays when told to. */
export async function order(visit: Visit, system: System): Promise<Order> {
  const user = randomUUID()
  const signed = await logIn(visit, user)
  const customer = {
    visit,
    wish: { user, key: `${user}-1`, plan: visit.chance.oneOf(plans), system },
    signed,
  }
  const purchase = await buy(customer)
  visit.figures.orders += 1
  return {
    pay: async () => {
      if (purchase.order.channel === 'virtual')
        await confirmSheet(customer, (await openSheet(customer, purchase)).number)
      else await payByJsapi(customer, purchase)
      visit.figures['orders paid'] += 1
    },
    deleteAccount: async () => {
      const { status, body } = await call(visit, async () => ({
        path: '/me',
        method: 'DELETE',
        body: { confirm: 'DELETE', code: await loginCode(visit, user) },
        headers: signed,
      }))
      if (status >= 300) throw new Error(`An account was not deleted: ${status} ${JSON.stringify(body)}`)
    },
  }
}

/** One person buys twice. The second wish closes the first one's order where that was left unpaid. */
export async function shop(visit: Visit): Promise<Shopper> {
  const { chance, figures } = visit
  const name = randomUUID()
  const signed = await logIn(visit, name)
  figures.shoppers += 1
  for (const turn of [1, 2]) {
    const system: System = chance.of(0.5) ? 'other' : chance.oneOf<System>(['ios', 'android'])
    const wish = { user: name, key: `${name}-${turn}`, plan: chance.oneOf(plans), system }
    const customer = { visit, wish, signed }
    const purchase = await buy(customer)
    figures.orders += 1
    await settle(customer, purchase)
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
