import type { Credentials } from '../check-settings.ts'
import { readTransaction } from '../notification/read-confirmed.ts'
import type { Answered, OrderAnswer, PaymentParams, PrepayOrder } from '../payments.ts'
import { PaymentsError } from '../payments-error.ts'
import { type Fields, textOf } from '../read-fields.ts'
import type { Answer, Call } from '../request.ts'
import type { Runtime } from '../runtime.ts'
import { paymentParamsMessage, sign } from '../signature.ts'
import * as orders from './orders.ts'

export type CallParts = { credentials: Credentials; call: Call; runtime: Runtime }

/** Obtains a `prepay_id`, valid for two hours (protocol §3). */
export async function prepay(
  { credentials, call }: CallParts,
  order: PrepayOrder,
): Promise<Answered & { prepayId: string }> {
  const { content, requestId } = await call(orders.prepay(credentials, order), order.signal)
  return { prepayId: content, requestId }
}

/** Signs what `wx.requestPayment` takes, afresh on every call (protocol §3.3). */
export async function paymentParams(
  { credentials, runtime }: CallParts,
  prepayId: string,
): Promise<PaymentParams> {
  const params = {
    timeStamp: String(Math.floor(runtime.now().getTime() / 1000)),
    nonceStr: runtime.nonce(),
    package: `prepay_id=${prepayId}`,
  }
  const message = paymentParamsMessage({ appId: credentials.appId, ...params })
  return { ...params, signType: 'RSA', paySign: await sign(message, credentials.privateKey) }
}

const NO_SUCH_ORDER: ReadonlySet<string | null> = new Set(['ORDER_NOT_EXIST', 'ORDERNOTEXIST'])

export type OrderQuestion = { outTradeNo: string } | { transactionId: string }

/** Asks for an order (protocol §4.1). The answer must be about the order that was asked for. */
export async function askOrder(
  { credentials, call }: CallParts,
  question: OrderQuestion,
  signal?: AbortSignal,
): Promise<OrderAnswer> {
  const endpoint =
    'outTradeNo' in question
      ? orders.queryOrder(credentials, question.outTradeNo)
      : orders.queryTransaction(credentials, question.transactionId)
  try {
    return toOrderAnswer(await call(endpoint, signal), question)
  } catch (error) {
    if (error instanceof PaymentsError && error.status === 404 && NO_SUCH_ORDER.has(error.code)) {
      return { state: 'no_such_order', requestId: error.requestId }
    }
    throw error
  }
}

function toOrderAnswer({ content, requestId }: Answer<Fields>, question: OrderQuestion): OrderAnswer {
  const { trade_state } = content
  const tradeState = textOf(trade_state)
  if (tradeState === null || !answers(content, question))
    throw new PaymentsError('malformed_answer', { requestId })
  if (tradeState === 'NOTPAY') return { state: 'not_paid', requestId }
  if (tradeState === 'CLOSED') return { state: 'closed', requestId }
  if (tradeState !== 'SUCCESS' && tradeState !== 'REFUND') return { state: 'unknown', tradeState, requestId }
  const payment = readTransaction(content, 'query')
  if (payment === null)
    throw new PaymentsError('malformed_answer', { requestId, about: 'paid, but incomplete' })
  return { state: tradeState === 'SUCCESS' ? 'paid' : 'refunded', payment, requestId }
}

function answers(content: Fields, question: OrderQuestion): boolean {
  const { out_trade_no, transaction_id } = content
  if ('outTradeNo' in question) return out_trade_no === question.outTradeNo
  return transaction_id === question.transactionId
}

const PAID: ReadonlySet<string | null> = new Set(['ORDER_PAID', 'ORDERPAID'])
const CLOSED: ReadonlySet<string | null> = new Set(['ORDER_CLOSED', 'ORDERCLOSED'])

/** Closes an unpaid order (protocol §4.2). `paid`: refused because somebody paid; query it. */
export async function closeOrder(
  { credentials, call }: CallParts,
  outTradeNo: string,
  signal?: AbortSignal,
): Promise<'closed' | 'paid'> {
  try {
    await call(orders.closeOrder(credentials, outTradeNo), signal)
    return 'closed'
  } catch (error) {
    if (error instanceof PaymentsError && error.reason === 'refused') {
      if (PAID.has(error.code)) return 'paid'
      if (CLOSED.has(error.code)) return 'closed'
    }
    throw error
  }
}
