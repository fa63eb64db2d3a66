import { chinaTime } from '../endpoints/orders.ts'
import type { PlatformOrder, PlatformPayment, PlatformRefund } from './platform-records.ts'
import type { PlatformState } from './platform-state.ts'
import type { BillDifference } from './platform-types.ts'

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

/** The platform keeps 0.6 % of a payment: six hundred-thousandths of a yuan for each fen. */
export const FEE_PER_FEN = 6

/** An integer of its last place as a decimal text. */
export function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export const yuan = (fen: number): string => decimal(fen, 2)

export const billTime = (time: Date): string => chinaTime(time).slice(0, 19).replace('T', ' ')

export const row = (fields: readonly string[]): string => fields.map((field) => `\`${field}`).join(',')

/** A bill of its lines (protocol §7.4). */
export const table = (lines: readonly string[]): string => `\ufeff${lines.join('\r\n')}\r\n`
