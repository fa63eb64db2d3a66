import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type ConfirmedPayment, confirmPayment } from '../confirmed-payment.ts'
import { type ConfirmedRefund, confirmRefund } from '../confirmed-refund.ts'
import { PaymentsError } from '../payments-error.ts'
import { openPush, type PushKeys, type PushQuery } from './push.ts'
import { Complaint, Delivery, Head, Inquiry, Refund, Risk } from './push-shapes.ts'

/** What stands where a notification names the key that signed it: pushes are signed with the token that both sides were given. */
export const PUSH_SERIAL = 'message-push'

/** Apple asks what we think of a refund (virtual payment §4.6). */
export type AppleInquiry = {
  /** The number that was paid. */
  attemptNo: string
  requestedAt: Date
  reason: string | null
}

/** A user complained to the platform (virtual payment §4.7). */
export type ComplaintNotice = { attemptNo: string; complaintId: string | null; complainedAt: Date | null }

/** What is told of the account itself: restrictions, due diligence (virtual payment §4.7). */
export type RiskNotice = { type: string; code: string | null; state: string | null; remark: string | null }

/** What a push is about. */
type PushContent =
  | { kind: 'payment'; payment: ConfirmedPayment }
  | { kind: 'refund'; refund: ConfirmedRefund }
  | { kind: 'inquiry'; inquiry: AppleInquiry }
  | { kind: 'complaint'; complaint: ComplaintNotice }
  | { kind: 'risk'; risk: RiskNotice }
  | { kind: 'coins' | 'probe' | 'unknown' }

/**
 * A push whose signature held and whose content was decrypted (virtual payment §4). The platform gives pushes no id: `id`
 * is the event and the number it is about, the same on every repetition. A probe (`IsMock`) has one of its own, so that
 * it never ends a true push.
 */
export type VerifiedPush = {
  id: string
  eventType: string
  createdAt: Date
  summary: string
  serial: typeof PUSH_SERIAL
  /** The message as an object, the same one from JSON and from XML. */
  payload: Readonly<Record<string, unknown>>
} & PushContent

type Message = {
  head: Head
  payload: Readonly<Record<string, unknown>>
  createdAt: Date
  appId: string
  text: string
}

/** Reads one shape out of a message; what the platform signed and does not hold is `malformed_payload`. */
function read<Shape extends z.ZodType>(shape: Shape, { payload }: Message): z.infer<Shape> {
  const parsed = shape.safeParse(payload)
  if (!parsed.success) throw new PaymentsError('malformed_payload', { about: 'not what this event carries' })
  return parsed.data
}

function paymentIn(message: Message): ConfirmedPayment {
  const { OpenId, OutTradeNo, Env, WeChatPayInfo: wechatPay, GoodsInfo: goods } = read(Delivery, message)
  const transactionId = wechatPay?.TransactionId ?? null
  return confirmPayment({
    channel: 'virtual',
    source: 'notification',
    outTradeNo: OutTradeNo,
    transactionId,
    amountFen: goods.ActualPrice,
    currency: 'CNY',
    appId: message.appId,
    payerOpenid: OpenId,
    paidAt: wechatPay?.PaidTime ?? message.createdAt,
    goods: {
      env: Env,
      productId: goods.ProductId,
      quantity: goods.Quantity,
      attach: goods.Attach,
      paidFen: null,
      byApple: transactionId === null,
    },
  })
}

/**
 * Of a refund that we did not start no page says what stands as our number: the platform's own stands in for it, and the
 * number that was paid finds the order (virtual payment §4.5, assumption in §9).
 */
function refundIn(message: Message): ConfirmedRefund {
  const said = read(Refund, message)
  const succeeded = said.RetCode === 0
  return confirmRefund({
    channel: 'virtual',
    source: 'notification',
    outRefundNo: said.MchRefundId ?? said.WxRefundId,
    refundId: said.WxRefundId,
    outTradeNo: said.MchOrderId,
    transactionId: null,
    status: succeeded ? 'succeeded' : 'closed',
    amountFen: said.RefundFee,
    totalFen: null,
    currency: null,
    succeededAt: succeeded ? (said.RefundSuccTimestamp ?? message.createdAt) : null,
    mchId: null,
  })
}

/** The same text is the same message, where a message names nothing better. */
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** What a push says, and the number or digest that makes its id. */
type Content = { about: string } & PushContent

/** One reader for each event that concerns us; whatever else the mini-program is told is unknown here. */
const readers: Readonly<Record<string, (message: Message) => Content>> = {
  xpay_goods_deliver_notify: (message) => {
    const payment = paymentIn(message)
    return { kind: 'payment', about: payment.outTradeNo, payment }
  },
  xpay_refund_notify: (message) => {
    const refund = refundIn(message)
    return { kind: 'refund', about: refund.outRefundNo, refund }
  },
  xpay_subscribe_ios_refund_query_notify: (message) => {
    const { pay_order_id: attemptNo, refund_time, refund_request_reason: reason } = read(Inquiry, message)
    const requestedAt = refund_time ?? message.createdAt
    return {
      kind: 'inquiry',
      about: `${attemptNo}:${requestedAt.getTime()}`,
      inquiry: { attemptNo, requestedAt, reason },
    }
  },
  xpay_complaint_notify: (message) => {
    const said = read(Complaint, message)
    const complaint = {
      attemptNo: said.MchOrderId,
      complaintId: said.ComplaintId,
      complainedAt: said.ComplaintTime ?? null,
    }
    return {
      kind: 'complaint',
      about: said.ComplaintId ?? said.RequestId ?? digestOf(message.text),
      complaint,
    }
  },
  xpay_wxpay_callback_notify: (message) => {
    const said = read(Risk, message)
    const risk = {
      type: said.EventType,
      code: said.BusinessCode,
      state: said.BusinessState,
      remark: said.Remark,
    }
    return { kind: 'risk', about: digestOf(message.text), risk }
  },
  xpay_coin_pay_notify: ({ head, text }) => ({ kind: 'coins', about: head.OutTradeNo ?? digestOf(text) }),
}

const isProbe = ({ IsMock, MiniGame }: Head): boolean => IsMock === true || MiniGame?.IsMock === true

function contentOf(eventType: string, message: Message): Content {
  const { head, text } = message
  if (isProbe(head)) return { kind: 'probe', about: head.OutTradeNo ?? digestOf(text) }
  const reader = Object.hasOwn(readers, eventType) ? readers[eventType] : undefined
  return reader?.(message) ?? { kind: 'unknown', about: digestOf(text) }
}

/**
 * Opens a push and reads what it says (virtual payment §4.2 to §4.8).
 * @throws PaymentsError as openPush; `malformed_payload` carries its origin, since the platform itself sent it
 */
export function readPush(query: PushQuery, body: Uint8Array, keys: PushKeys): VerifiedPush {
  const { text, message: payload } = openPush(query, body, keys)
  const parsed = Head.safeParse(payload)
  const head = parsed.data ?? {}
  const eventType = head.Event ?? head.MsgType ?? 'message'
  try {
    if (!parsed.success) throw new PaymentsError('malformed_payload')
    const createdAt = new Date((head.CreateTime ?? 0) * 1000)
    const { about, ...content } = contentOf(eventType, { head, payload, createdAt, appId: keys.appId, text })
    const id = `${content.kind === 'probe' ? 'probe:' : ''}${eventType}:${about}`
    return { id, eventType, createdAt, summary: '', serial: PUSH_SERIAL, payload, ...content }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const signed = { id: null, eventType, serial: PUSH_SERIAL }
    throw new PaymentsError(error.reason, { ...(error.about && { about: error.about }), signed })
  }
}
