import { chinaTime } from '../endpoints/orders.ts'
import type { PlatformState } from './platform-state.ts'
import type { BillDifference, PlatformOrder, PlatformPayment, PlatformRefund } from './platform-types.ts'

export type Entry = {
  at: Date
  order: PlatformOrder
  payment: PlatformPayment
  refund: PlatformRefund | null
  /** Fen of the order in a payment row, of the refund in a refund row. */
  amountFen: number
}

/** Everything of one day in China, from the platform's own orders, with the differences planted in it. */
export function entriesOf(state: PlatformState, date: string): Entry[] {
  const entries: Entry[] = []
  for (const order of state.orders.values()) {
    for (const payment of order.payments) {
      entries.push({ at: payment.paidAt, order, payment, refund: null, amountFen: order.amountFen })
    }
  }
  for (const refund of state.refunds.values()) {
    const order = state.orders.get(refund.outTradeNo)
    const payment = order?.payments.find(({ transactionId }) => transactionId === refund.transactionId)
    if (!order || !payment) continue
    entries.push({ at: refund.createdAt, order, payment, refund, amountFen: refund.amountFen })
  }
  const ofDay = entries.filter(({ at }) => chinaTime(at).slice(0, 10) === date)
  return ofDay
    .flatMap((entry) => altered(entry, state.billDifferences))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

function altered(entry: Entry, differences: readonly BillDifference[]): Entry[] {
  const difference = differences.find(
    ({ outTradeNo, outRefundNo }) =>
      (outTradeNo === entry.order.outTradeNo && entry.refund === null) ||
      (outRefundNo !== undefined && outRefundNo === entry.refund?.outRefundNo),
  )
  if (!difference) return [entry]
  if (difference.kind === 'missing') return []
  if (difference.kind === 'twice') return [entry, entry]
  return [{ ...entry, amountFen: entry.amountFen + (difference.byFen ?? 1) }]
}
