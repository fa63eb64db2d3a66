import type { ConfirmedPayment, ConfirmedRefund } from '@meridian/payments'
import { findStandings, type OrderStanding } from '../../orders/find-lost.ts'
import { findPayableOrder } from '../../orders/move-order.ts'
import type { OpenedOrder, RecentPurchase } from '../../orders/recent-purchases.ts'
import { recreateOrder, reopenAttempt, reopenOrder } from '../../orders/recreate-order.ts'
import { applyPayment } from '../../payments/apply-payment.ts'
import { settleOrder } from '../../payments/settle-order.ts'
import { inTransaction } from '../../platform/sql/transaction.ts'
import { receiveRefund } from '../../refunds/settle-refund.ts'
import type { Services } from '../../services.ts'
import { meetUser } from '../../users/log-in.ts'

/** What one look at the remembered found missing, and brought back. */
export type MadeAgain = { orders: number; attempts: number; payments: number; refunds: number }

export type Healing = {
  /** What is still to be looked at. Whatever is found well, or has been made so, is taken out. */
  left: Set<RecentPurchase>
  made: MadeAgain
  /** Whether the other processes had their time to make again what only they know. */
  isLate: boolean
  /** Aborts what was not begun yet, where the program ends. */
  signal: AbortSignal
}

const atOnce = 4

/** Does it for each item, four side by side; one that fails keeps no other from its turn and is named at the end. */
async function forEach<Item>(
  items: Iterable<Item>,
  { signal }: Healing,
  work: (item: Item) => Promise<void>,
): Promise<unknown[]> {
  const waiting = items[Symbol.iterator]()
  const failures: unknown[] = []
  const run = async () => {
    for (let next = waiting.next(); !next.done && !signal.aborted; next = waiting.next())
      await work(next.value).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return failures
}

const ofKind = <Kind extends RecentPurchase['kind']>(left: ReadonlySet<RecentPurchase>, kind: Kind) =>
  [...left].filter((purchase): purchase is Extract<RecentPurchase, { kind: Kind }> => purchase.kind === kind)

/** By which number the order of a purchase is found: a payment has the one that it was paid under. */
const numberOf = (purchase: RecentPurchase): string =>
  purchase.kind === 'payment' ? purchase.payment.outTradeNo : purchase.number

const standingsOf = ({ database }: Services, purchases: readonly RecentPurchase[]) =>
  findStandings(database.pool, purchases.map(numberOf))

function isLost(purchase: RecentPurchase, standing: OrderStanding | undefined): boolean {
  if (purchase.kind === 'refund') return false
  if (purchase.kind === 'attempt') return !standing?.signed
  return purchase.kind === 'payment' ? !standing?.paymentNo : !standing
}

/** Those of the remembered that the database does not have. Of refunds nothing is said. */
export async function findLost(
  services: Services,
  purchases: readonly RecentPurchase[],
): Promise<RecentPurchase[]> {
  if (purchases.length === 0) return []
  const there = await standingsOf(services, purchases)
  return purchases.filter((purchase) => isLost(purchase, there.get(numberOf(purchase))))
}

/** Answers false where somebody else made it again, and null where its user has erased their account. */
async function reopen({ database: { pool }, dataKeys }: Services, order: OpenedOrder) {
  const { openid, userId: id } = order
  const user = await meetUser(pool, { openid, mac: await dataKeys.markOf(openid), id })
  return user && reopenOrder(pool, { ...order, userId: user.id })
}

/** Orders first: attempts belong to them, and payments find them. */
async function reopenOrders(services: Services, healing: Healing): Promise<unknown[]> {
  const { left, made } = healing
  const orders = ofKind(left, 'order')
  const there = await standingsOf(services, orders)
  const lost = orders.filter(({ number }) => !there.has(number))
  return forEach(lost, healing, async (order) => {
    const again = await reopen(services, order)
    if (again) made.orders += 1
    if (again === null) left.delete(order)
  })
}

async function reopenAttempts(services: Services, healing: Healing): Promise<unknown[]> {
  const { left, made, isLate } = healing
  const attempts = ofKind(left, 'attempt')
  const there = await standingsOf(services, attempts)
  return forEach(attempts, healing, async (attempt) => {
    const isThere = there.get(attempt.number)?.signed ?? false
    const again = !isThere && (await reopenAttempt(services.database.pool, attempt))
    if (again) made.attempts += 1
    // An attempt of an order that another process opened waits for it.
    if (isThere || again || isLate) left.delete(attempt)
  })
}

const asked = { confirmedBy: 'sweep', requestId: null } as const

/** The order of a payment that only this process knows of: by its price, as after a restore. */
async function recreateFor(services: Services, payment: ConfirmedPayment): Promise<boolean> {
  const { database, dataKeys, payments } = services
  const { payerOpenid: openid } = payment
  if (openid === null || payment.channel !== 'jsapi') return false
  const payer = await meetUser(database.pool, { openid, mac: await dataKeys.markOf(openid) })
  const platformHost = payments?.platformHost ?? ''
  return payer !== null && recreateOrder(database.pool, { payment, userId: payer.id, platformHost })
}

/**
 * A payment that was acknowledged. The platform is asked about its order; what that does not tell, a second payment or
 * one of a closed attempt, is applied as it was confirmed here. A payment that fits no order raises its alert.
 */
async function payAgain(services: Services, payment: ConfirmedPayment): Promise<void> {
  const { database, virtual, ordersInTurn } = services
  const order = await findPayableOrder(database.pool, payment)
  if (order && order.paymentNo === null) {
    const { outTradeNo, channel } = order
    await settleOrder(services, { outTradeNo, channel, ...asked })
  }
  const now = order && (await findPayableOrder(database.pool, payment))
  if (now?.paymentNo === payment.paymentNo) return
  const arrival = { ...asked, env: virtual?.env }
  await ordersInTurn.run(payment.outTradeNo, () => applyPayment(database.pool, payment, arrival))
}

async function payAllAgain(services: Services, healing: Healing): Promise<unknown[]> {
  const { left, made, isLate } = healing
  const payments = ofKind(left, 'payment')
  const there = await standingsOf(services, payments)
  return forEach(payments, healing, async (taken) => {
    const { payment } = taken
    const standing = there.get(payment.outTradeNo)
    if (standing?.paymentNo !== payment.paymentNo) {
      if (!standing && !isLate) return
      if (!standing && (await recreateFor(services, payment))) made.orders += 1
      await payAgain(services, payment)
      made.payments += 1
    }
    left.delete(taken)
  })
}

/** Orders that this process opened and that are unpaid here: another process, now gone, may have been told of their payment. */
async function askAboutOrders(services: Services, healing: Healing): Promise<unknown[]> {
  const { left, made } = healing
  const orders = ofKind(left, 'order')
  const there = await standingsOf(services, orders)
  const ask = async ({ outTradeNo, channel }: OrderStanding) => {
    const outcome = await settleOrder(services, { outTradeNo, channel, ...asked })
    if (outcome === 'paid') made.payments += 1
  }
  return forEach(orders, healing, async (order) => {
    const standing = there.get(order.number)
    if (!standing) return
    if (standing.unpaid) await ask(standing)
    left.delete(order)
  })
}

const merchantOf = ({ payments, virtual }: Services, { channel }: ConfirmedRefund) =>
  (channel === 'jsapi' ? payments?.mchId : virtual?.offerId) ?? null

/** Refunds last: of a payment that is not there nothing can be given back. */
async function refundAllAgain(services: Services, healing: Healing): Promise<unknown[]> {
  const { left, made } = healing
  return forEach(ofKind(left, 'refund'), healing, async (taken) => {
    const { refund } = taken
    const trace = { channel: 'job', requestId: null, mchId: merchantOf(services, refund) } as const
    const { verdict } = await inTransaction(services.database.pool, (client) =>
      receiveRefund(client, refund, trace),
    )
    if (verdict === 'applied') made.refunds += 1
    left.delete(taken)
  })
}

/**
 * Makes again, once, what the database has lost of the remembered: users and orders with the terms they were opened with,
 * signed attempts, payments and refunds. Several processes may do so side by side: each step is a guarded one that
 * somebody else may have done already. Answers what failed; that stays in `left`.
 */
export async function makeLostAgain(services: Services, healing: Healing): Promise<unknown[]> {
  const { left } = healing
  const failures = [
    ...(await reopenOrders(services, healing)),
    ...(await reopenAttempts(services, healing)),
    ...(await payAllAgain(services, healing)),
  ]
  if (ofKind(left, 'attempt').length === 0) failures.push(...(await askAboutOrders(services, healing)))
  const isPaid = ofKind(left, 'order').length + ofKind(left, 'payment').length === 0
  if (isPaid) failures.push(...(await refundAllAgain(services, healing)))
  return failures
}
