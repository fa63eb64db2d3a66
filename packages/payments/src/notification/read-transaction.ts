import { type ConfirmedPayment, confirmPayment, type PaymentSource } from '../confirmed-payment.ts'
import { fenOf, idOf, isFields, textOf, timeOf } from '../read-fields.ts'

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
