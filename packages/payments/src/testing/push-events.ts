import { z } from 'zod'
import { parseJson } from '../read-fields.ts'
import { openMessage, readAesKey } from '../virtual/push.ts'
import { pushSignatureOf, sameSignature } from '../virtual/signatures.ts'
import { announce } from './deliver-notifications.ts'
import type { PushEventKind, RefundOpinionAnswer, VirtualOrderRecord } from './platform-records.ts'
import { type PlatformState, randomText } from './platform-state.ts'

/** Events of a mini-program that are made up on demand (virtual payment §4.7). */
export const pushEventKinds: readonly PushEventKind[] = ['complaint', 'risk', 'coins', 'foreign']

type Event = Readonly<Record<string, unknown>>
const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

const events: Record<PushEventKind, (state: PlatformState, order: VirtualOrderRecord | null) => Event> = {
  complaint: ({ now }, order) => ({
    Event: 'xpay_complaint_notify',
    OpenId: order?.payerOpenid ?? '',
    WxOrderId: order?.wxOrderId ?? '',
    MchOrderId: order?.number ?? '',
    TransactionId: order?.transactionId ?? '',
    ComplaintId: `2000${randomText(10)}`,
    ComplaintDetail: '不想要了，申请退款',
    ComplaintTime: seconds(now()),
    RetryTimes: 0,
    RequestId: randomText(12),
  }),
  risk: ({ keys, now }) => ({
    Event: 'xpay_wxpay_callback_notify',
    AppId: keys.appId,
    NickName: 'Meridian',
    MerchantCode: keys.mchId,
    MerchantCompanyName: '沙箱公司',
    BusinessTime: now().toISOString(),
    BusinessCode: randomText(8),
    BusinessState: 'PENDING',
    Remark: '请在 30 天内补充主体资料',
    EventType: 'due_diligence',
    RetryTimes: 0,
  }),
  coins: (_, order) => ({
    Event: 'xpay_coin_pay_notify',
    OpenId: order?.payerOpenid ?? '',
    OutTradeNo: order?.number ?? `C${randomText(10)}`,
    Env: 0,
    CoinInfo: { Quantity: 10, OrigPrice: 100, ActualPrice: 100, Attach: '' },
  }),
  foreign: () => ({ Event: 'user_enter_tempsession', SessionFrom: 'sandbox' }),
}

export const pushedEvent = (
  state: PlatformState,
  kind: PushEventKind,
  order: VirtualOrderRecord | null,
): Event => events[kind](state, order)

const INQUIRIES = 3

const Opinion = z.object({
  result_code: z.union([z.literal(0), z.literal(1)]),
  result_info: z.string(),
  evidence: z.string().min(1),
})
const Sealed = z.object({
  Encrypt: z.string(),
  MsgSignature: z.string(),
  TimeStamp: z.number(),
  Nonce: z.string(),
})

/** Apple asks about a refund until it understands the answer, three times at most (virtual payment §4.6). */
export async function askOpinion(
  state: PlatformState,
  order: VirtualOrderRecord,
  reason = 'UNINTENDED_PURCHASE',
): Promise<RefundOpinionAnswer | null> {
  const now = String(seconds(state.now()))
  // Flat, small names, every value a text: so it was seen (virtual payment §4.6).
  const event = {
    Event: 'xpay_subscribe_ios_refund_query_notify',
    bundleid: 'com.tencent.xin',
    channel_bill: order.channelOrderId,
    consumption_status: '0',
    order_time: String(seconds(order.paidAt ?? order.createdAt)),
    p_count: '1',
    pay_order_id: order.number,
    product_id: order.productId,
    provide_status: order.status >= 4 ? '1' : '0',
    refund_request_reason: reason,
    refund_time: now,
    service_type: 'unipdt',
  }
  for (let asked = 0; asked < INQUIRIES; asked += 1) {
    const [delivery] = await announce(state, { about: { event, number: order.number }, once: true })
    const opinion = delivery?.status === 200 ? readOpinion(state, delivery.answer) : null
    if (opinion) return opinion
  }
  return null
}

/** Flat and sealed, as safe mode wants it (virtual payment §9). */
function readOpinion({ virtual, keys }: PlatformState, answer: string): RefundOpinionAnswer | null {
  const { pushToken: token, pushAesKey } = virtual.keys
  const sealed = Sealed.safeParse(parseJson(Buffer.from(answer))).data
  if (!sealed) return null
  const signed = pushSignatureOf([token, String(sealed.TimeStamp), sealed.Nonce, sealed.Encrypt])
  if (!sameSignature(signed, sealed.MsgSignature)) return null
  try {
    const opened = openMessage(sealed.Encrypt, { token, aesKey: readAesKey(pushAesKey), appId: keys.appId })
    return Opinion.safeParse(parseJson(opened)).data ?? null
  } catch {
    return null
  }
}
