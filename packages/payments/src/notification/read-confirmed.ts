import { type ConfirmedPayment, confirmPayment, type PaymentSource } from '../confirmed-payment.ts'
import { type ConfirmedRefund, confirmRefund, type RefundStatus } from '../confirmed-refund.ts'
import { type Fields, fenOf, idOf, isFields, textOf, timeOf } from '../read-fields.ts'

/**
 * Makes a payment out of the transaction object of a verified notification or query answer (protocol §4.1). Whether
 * it is paid is the caller's question; null when a field that every paid transaction has is absent or malformed.
 */
export function readTransaction(transaction: unknown, source: PaymentSource): ConfirmedPayment | null {
  if (!isFields(transaction)) return null
  const { out_trade_no, transaction_id, appid, mchid, trade_type, bank_type, success_time } = transaction
  const { amount, payer } = transaction
  if (!isFields(amount)) return null
  const { total, currency } = amount
  const { openid } = isFields(payer) ? payer : {}
  const outTradeNo = idOf(out_trade_no)
  const transactionId = idOf(transaction_id)
  const appId = idOf(appid)
  const mchId = idOf(mchid)
  const tradeType = idOf(trade_type)
  const paidAt = timeOf(success_time)
  const amountFen = fenOf(total)
  const currencyCode = idOf(currency)
  if (!outTradeNo || !transactionId || !appId || !mchId || !tradeType || !paidAt) return null
  if (amountFen === null || !currencyCode) return null
  return confirmPayment({
    channel: 'jsapi',
    source,
    outTradeNo,
    transactionId,
    amountFen,
    currency: currencyCode,
    appId,
    mchId,
    payerOpenid: textOf(openid),
    tradeType,
    bankType: idOf(bank_type),
    paidAt,
  })
}

const statuses: Readonly<Record<string, RefundStatus>> = {
  SUCCESS: 'succeeded',
  CLOSED: 'closed',
  ABNORMAL: 'abnormal',
  PROCESSING: 'processing',
}

/**
 * Makes a refund out of a verified refund notification or answer. Null when a field is absent or malformed, or when
 * the status is one that we do not know: money is not moved on a guess.
 */
export function readRefund(refund: unknown, source: PaymentSource): ConfirmedRefund | null {
  if (!isFields(refund)) return null
  const { amount, refund_status, status: answeredStatus, success_time, mchid } = refund
  // Notifications say `refund_status`, answers say `status`.
  const status = statusOf(source === 'notification' ? refund_status : answeredStatus)
  if (!isFields(amount) || !status) return null
  const numbers = numbersOf(refund)
  const { refund: refundFen, total, currency } = amount
  const amountFen = fenOf(refundFen)
  const totalFen = fenOf(total)
  const succeededAt = timeOf(success_time)
  if (!numbers || amountFen === null || totalFen === null) return null
  if (isMalformed(currency) || isMalformed(mchid)) return null
  if (status === 'succeeded' && succeededAt === null) return null
  return confirmRefund({
    channel: 'jsapi',
    source,
    ...numbers,
    status,
    amountFen,
    totalFen,
    currency: idOf(currency),
    succeededAt: status === 'succeeded' ? succeededAt : null,
    mchId: idOf(mchid),
  })
}

const statusOf = (value: unknown): RefundStatus | null =>
  typeof value === 'string' && Object.hasOwn(statuses, value) ? (statuses[value] ?? null) : null

/** Given, and yet no identifier: what is not named agrees with anything, what is named must be readable. */
const isMalformed = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && idOf(value) === null

function numbersOf(refund: Fields) {
  const { out_refund_no, refund_id, out_trade_no, transaction_id } = refund
  const [outRefundNo, refundId] = [idOf(out_refund_no), idOf(refund_id)]
  const [outTradeNo, transactionId] = [idOf(out_trade_no), idOf(transaction_id)]
  if (!outRefundNo || !refundId || !outTradeNo || !transactionId) return null
  return { outRefundNo, refundId, outTradeNo, transactionId }
}
