import { expect } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { queueMissedDeliveries } from '../../src/payments/confirm-delivery.ts'
import { type Account, isUnpaid, type Order, orderNamed, type Payment, plans, refundsOf } from './account.ts'
import { billedDays, billing } from './acts.ts'
import { notifying, pushing, tellApple, untoldApple } from './messages.ts'
import { paymentsThere, sheetThere } from './platform-truth.ts'
import { noFaults, pass, type Run, take, working } from './take.ts'
import type { Visit } from './visit.ts'

/** Every refund that is on its way arrives, and Apple's inquiries are over. */
async function endRefunds({ shop, account }: Visit): Promise<void> {
  for (const refund of shop.platform.refunds.values())
    if (refund.status === 'PROCESSING')
      Object.assign(refund, { status: 'SUCCESS', succeededAt: new Date(shop.now()) })
  for (const { no } of account.refunds) {
    const theirs = shop.platform.virtual.refunds.get(no)
    if (theirs?.status === 5) Object.assign(theirs, { status: 8, refundedAt: new Date(shop.now()) })
  }
}

const isKnownHere = ({ orders, seconds }: Account, paymentNo: string) =>
  orders.some((order) => order.paymentNo === paymentNo) ||
  seconds.some((second) => second.paymentNo === paymentNo)

/** The payments of this user that the platform holds and nobody knows here. */
const unknownHere = (visit: Visit): { order: Order; payment: Payment }[] =>
  visit.account.orders.flatMap((order) =>
    paymentsThere(visit, order)
      .filter(({ paymentNo }) => !isKnownHere(visit.account, paymentNo))
      .map((payment) => ({ order, payment })),
  )

/** Whatever notifications and pushes were lost so far arrive at last, those of Apple's refunds before the others. */
async function tellAll(run: Run): Promise<void> {
  const { visit } = run
  const once = { on: 0, copies: 1, ids: 'same' } as const
  for (let refund = 0; untoldApple(visit); refund++) {
    const call = tellApple(visit, { act: 'tellApple', refund, on: 1, copies: 1 })
    if (call) await take(run, [call], noFaults)
  }
  for (const { order, payment } of unknownHere(visit)) {
    const { no, channel } = order
    const call =
      channel === 'jsapi'
        ? notifying(visit, once, { no, payment })
        : pushing(visit, once, { no, number: payment.paymentNo })
    await take(run, [call], noFaults)
  }
}

/** Nobody does anything any more: the workers and the daily bill alone must bring everything to its end. */
export async function comeToRest(run: Run): Promise<void> {
  const { visit } = run
  await pass(visit, 45 * 60_000)
  await take(run, [working(visit)], noFaults)
  await endRefunds(visit)
  for (const date of billedDays(visit)) await take(run, [billing(visit, date, 0)], noFaults)
  await tellAll(run)
  await queueDeliveries(visit)
  await take(run, [working(visit)], noFaults)
  // A delivery is told where a push that was answered has not told it; and again where the machine was too busy before.
  for (
    let again = 0;
    again < 3 && (visit.account.orders.some(isUnpaid) || undelivered(visit).length > 0);
    again++
  )
    await take(run, [working(visit)], noFaults)
}

/** What the daily run of virtual payment begins with. */
async function queueDeliveries({ shop }: Visit): Promise<void> {
  const { virtual, database } = shop.replicas[0].services
  if (virtual) await queueMissedDeliveries(database.pool, virtual)
}

/** Whether somebody asked for all of it back, whatever became of that: what goes back is not handed over. */
const wasToGoBack = ({ account }: Visit, { no, plan }: Order) =>
  refundsOf(account, no).reduce((fen, { amountFen }) => fen + amountFen, 0) >= plans[plan].amountFen

/** Orders whose days were given and whose money stays, and which the platform does not call delivered. */
const undelivered = (visit: Visit): string[] =>
  visit.account.orders.flatMap((order) => {
    const { no, channel, paymentNo } = order
    const isGiven = visit.account.ledger.some(({ cause }) => cause === no)
    const sheet = channel === 'virtual' && paymentNo !== null ? sheetThere(visit, paymentNo) : undefined
    return sheet && isGiven && !wasToGoBack(visit, order) && sheet.status < 4 ? [no] : []
  })

/** What no sequence may leave behind. */
export async function judge(visit: Visit): Promise<void> {
  const { shop, account, userId } = visit
  expect(account.orders.filter(isUnpaid)).toEqual([])
  expect(unknownHere(visit).map(({ payment }) => payment.paymentNo)).toEqual([])
  expect(undelivered(visit)).toEqual([])
  expect(visit.observed.orders.filter((order) => isOtherTransaction(visit, order.no))).toEqual([])
  const found = await checkInvariants(shop.pool)
  expect(found.filter(({ invariant }) => invariant !== 'payments_found_by_asking')).toEqual([])
  const { rows: jumps } = await shop.pool.query(
    `SELECT out_trade_no, array_agg(e.from_status || '>' || e.to_status ORDER BY e.id) AS moves
     FROM orders o JOIN order_events e ON e.order_id = o.id
     WHERE o.user_id = $1 AND e.from_status <> e.to_status GROUP BY 1`,
    [userId],
  )
  expect(jumps.filter(({ moves }) => new Set(moves).size !== moves.length)).toEqual([])
}

/** Whether an order of virtual payment names another transaction than the platform does for the number that paid it. */
function isOtherTransaction(visit: Visit, no: string): boolean {
  const { channel, paymentNo } = orderNamed(visit.account, no)
  if (channel === 'jsapi' || paymentNo === null) return false
  const named = visit.observed.orders.find((order) => order.no === no)?.transactionId
  return named !== sheetThere(visit, paymentNo)?.transactionId
}
