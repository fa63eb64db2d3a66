import { constants, createPrivateKey, privateDecrypt } from 'node:crypto'
import { z } from 'zod'
import { chinaTime } from '../endpoints/orders.ts'
import { announce } from './deliver-notifications.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import type { Delivery } from './notification-types.ts'
import type { PlatformOrder, PlatformPayment, PlatformRefund } from './platform-records.ts'
import { type PlatformState, randomText, saveOrder, saveRefund, scheduleTask } from './platform-state.ts'
import { accountOf, isFrozen, RefundParameters } from './refund-parameters.ts'
import { badParameter, ok, Refusal, type Reply, readOrRefuse, stableText } from './reply.ts'

const MOST_REFUNDS = 50
const YEAR_MS = 365 * 86_400_000

const noSuchThing = (what: string) =>
  new Refusal(404, { code: 'RESOURCE_NOT_EXISTS', message: `${what}不存在` })
const against = (message: string) => new Refusal(400, { code: 'INVALID_REQUEST', message })

function requestRefund({ state, body, faults }: EndpointRequest): Reply {
  const parameters = readOrRefuse(RefundParameters, body)
  const { order, payment } = paymentOf(state, parameters)
  const known = state.refunds.get(parameters.out_refund_no)
  if (known) return repeated(known, parameters, payment)
  refuseBeyondLimits(state, { parameters, order, payment })
  const refund = newRefund(state, { parameters, order, payment })
  order.state = 'REFUND'
  saveRefund(state, refund)
  saveOrder(state, order)
  const end = faults.has('refund_abnormal') ? 'ABNORMAL' : faults.has('refund_closed') ? 'CLOSED' : 'SUCCESS'
  settleLater(state, refund, end)
  return ok(refundObject(refund))
}

/** The same number refunds once: the first answer again, or a refusal where the amounts differ. */
function repeated(known: PlatformRefund, { amount }: RefundParameters, payment: PlatformPayment): Reply {
  const same = known.amountFen === amount.refund && known.totalFen === amount.total
  if (!same || known.transactionId !== payment.transactionId)
    throw against('订单金额或退款金额与之前请求不一致')
  return ok(refundObject(known))
}

function paymentOf(state: PlatformState, { transaction_id: id, out_trade_no: outTradeNo }: RefundParameters) {
  if ((id === undefined) === (outTradeNo === undefined)) throw badParameter('/transaction_id', '二选一')
  const order = [...state.orders.values()].find(
    (one) => one.outTradeNo === outTradeNo || one.payments.some(({ transactionId }) => transactionId === id),
  )
  const payment = order?.payments.find(({ transactionId }) => id === undefined || transactionId === id)
  if (!order || !payment) throw noSuchThing('订单')
  return { order, payment }
}

type Intent = { parameters: RefundParameters; order: PlatformOrder; payment: PlatformPayment }

function refuseBeyondLimits(state: PlatformState, { parameters, order, payment }: Intent): void {
  const { amount } = parameters
  if (amount.total !== order.amountFen) throw against('订单总金额与原订单不一致')
  const earlier = [...state.refunds.values()].filter(
    ({ transactionId, status }) => transactionId === payment.transactionId && status !== 'CLOSED',
  )
  const refunded = earlier.reduce((sum, { amountFen }) => sum + amountFen, 0)
  if (refunded + amount.refund > order.amountFen) throw against('累计退款金额大于支付金额')
  if (earlier.length >= MOST_REFUNDS) throw against('部分退款次数超过50次')
  if (state.now().getTime() - payment.paidAt.getTime() > YEAR_MS) {
    throw new Refusal(403, { code: 'TRADE_OVERDUE', message: '订单已经超过退款期限' })
  }
}

const newRefund = (state: PlatformState, { parameters, order, payment }: Intent): PlatformRefund => ({
  refundId: `503${BigInt(`0x${randomText(10)}`)
    .toString()
    .padStart(25, '0')
    .slice(0, 25)}`,
  outRefundNo: parameters.out_refund_no,
  request: stableText(parameters),
  outTradeNo: order.outTradeNo,
  transactionId: payment.transactionId,
  amountFen: parameters.amount.refund,
  totalFen: parameters.amount.total,
  reason: parameters.reason ?? null,
  notifyUrl: parameters.notify_url ?? null,
  fundsAccount: accountOf(parameters, isFrozen(order, payment, state.now())),
  from: parameters.amount.from ?? [],
  status: 'PROCESSING',
  createdAt: state.now(),
  succeededAt: null,
})

/** A refund as answers show it: `status`, not `refund_status` (protocol §6.1). */
const refundObject = (refund: PlatformRefund) => ({
  refund_id: refund.refundId,
  out_refund_no: refund.outRefundNo,
  transaction_id: refund.transactionId,
  out_trade_no: refund.outTradeNo,
  channel: 'ORIGINAL',
  user_received_account: '支付用户零钱',
  ...(refund.succeededAt && { success_time: chinaTime(refund.succeededAt) }),
  create_time: chinaTime(refund.createdAt),
  status: refund.status,
  funds_account: refund.fundsAccount,
  amount: {
    total: refund.totalFen,
    refund: refund.amountFen,
    ...(refund.from.length > 0 && { from: refund.from }),
    payer_total: refund.totalFen,
    payer_refund: refund.amountFen,
    settlement_refund: refund.amountFen,
    settlement_total: refund.totalFen,
    discount_refund: 0,
    currency: 'CNY',
  },
})

export type RefundEnd = 'SUCCESS' | 'CLOSED' | 'ABNORMAL'

function settleLater(state: PlatformState, refund: PlatformRefund, end: RefundEnd): void {
  if (state.refundsSettleAfterMs === null) return
  scheduleTask(state, { act: 'settle', outRefundNo: refund.outRefundNo, end }, state.refundsSettleAfterMs)
}

/** Ends a refund and tells the merchant (protocol §6.5). */
export async function settleRefund(
  state: PlatformState,
  refund: PlatformRefund,
  end: RefundEnd,
): Promise<Delivery[]> {
  const order = state.orders.get(refund.outTradeNo)
  Object.assign(refund, { status: end, succeededAt: end === 'SUCCESS' ? state.now() : null })
  saveRefund(state, refund)
  return order ? announce(state, { about: { refund: { ...refund } }, once: false }) : []
}

function refundNamed(state: PlatformState, outRefundNo: string | undefined): PlatformRefund {
  const refund = state.refunds.get(outRefundNo ?? '')
  if (!refund) throw noSuchThing('退款单')
  return refund
}

const AbnormalParameters = z.discriminatedUnion('type', [
  z.strictObject({
    out_refund_no: z.string(),
    type: z.literal('USER_BANK_CARD'),
    bank_type: z.string().max(16),
    bank_account: z.string().max(1024),
    real_name: z.string().max(1024),
  }),
  z.strictObject({ out_refund_no: z.string(), type: z.literal('MERCHANT_BANK_CARD') }),
])

function applyAbnormalRefund({ state, parts: { refundId }, body, serial }: EndpointRequest): Reply {
  const parameters = readOrRefuse(AbnormalParameters, body)
  const refund = refundNamed(state, parameters.out_refund_no)
  if (refund.refundId !== refundId) throw noSuchThing('退款单')
  if (refund.status !== 'ABNORMAL') throw against('退款单状态不是异常')
  if (parameters.type === 'USER_BANK_CARD') {
    for (const sealed of [parameters.bank_account, parameters.real_name]) openField(state, sealed, serial)
  }
  refund.status = 'PROCESSING'
  saveRefund(state, refund)
  settleLater(state, refund, 'SUCCESS')
  return ok(refundObject(refund))
}

/** Sensitive fields are encrypted for the key that the request names (protocol §2.4). */
function openField({ keys }: PlatformState, sealed: string, serial: string | undefined): void {
  const named =
    serial === keys.publicKey.id ? keys.publicKey : keys.certificates.find((one) => one.serial === serial)
  try {
    if (!named) throw new Error('no such key')
    const key = createPrivateKey(named.privateKey)
    const bytes = Buffer.from(sealed, 'base64')
    privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }, bytes)
  } catch {
    throw badParameter('/bank_account', '敏感字段解密失败')
  }
}

/** Refunds (protocol §6). */
export const refundEndpoints: readonly PlatformEndpoint[] = [
  {
    method: 'POST',
    path: /^\/v3\/refund\/domestic\/refunds$/,
    place: 'refund',
    answer: requestRefund,
    orderOf: ({ body: { out_trade_no } }) => (typeof out_trade_no === 'string' ? out_trade_no : null),
  },
  {
    method: 'GET',
    path: /^\/v3\/refund\/domestic\/refunds\/(?<outRefundNo>[^/]+)$/,
    place: 'refund_query',
    answer: ({ state, parts: { outRefundNo } }) => ok(refundObject(refundNamed(state, outRefundNo))),
    orderOf: ({ state, parts: { outRefundNo } }) => state.refunds.get(outRefundNo ?? '')?.outTradeNo ?? null,
  },
  {
    method: 'POST',
    path: /^\/v3\/refund\/domestic\/refunds\/(?<refundId>[^/]+)\/apply-abnormal-refund$/,
    place: 'refund',
    answer: applyAbnormalRefund,
  },
]
