import { randomBytes } from 'node:crypto'
import { XMLBuilder } from 'fast-xml-parser'
import { readAesKey, sealMessage } from '../virtual/push.ts'
import { pushSignatureOf } from '../virtual/signatures.ts'
import type { InjectedFaults } from './fault-injection.ts'
import type { Notification } from './notification-types.ts'
import type { PushAbout, VirtualOrderRecord } from './platform-records.ts'
import { type PlatformState, randomText } from './platform-state.ts'

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** The payment's number that a push is about. */
export const pushedNumber = (about: PushAbout): string =>
  'delivery' in about
    ? about.delivery.number
    : 'virtualRefund' in about
      ? about.virtualRefund.orderNumber
      : about.number

function contentOf({ virtual }: PlatformState, about: PushAbout, { faults, attempt }: Sending) {
  if ('event' in about) return about.event
  if ('delivery' in about) return deliveryContent(about.delivery, faults)
  const { number, wxRefundId, orderNumber, amountFen, status, byApple, createdAt, refundedAt } =
    about.virtualRefund
  const order = virtual.orders.get(orderNumber)
  return {
    Event: 'xpay_refund_notify',
    OpenId: order?.payerOpenid ?? '',
    WxRefundId: wxRefundId,
    // Of a refund that the merchant did not start, no page says what stands here (virtual payment §4.5).
    MchRefundId: byApple ? '' : number,
    WxOrderId: order?.wxOrderId ?? '',
    MchOrderId: orderNumber,
    RefundFee: amountFen,
    RetCode: status === 8 ? 0 : 1,
    RetMsg: status === 8 ? '' : 'failed',
    RefundStartTimestamp: seconds(createdAt),
    RefundSuccTimestamp: refundedAt ? seconds(refundedAt) : 0,
    WxpayRefundTransactionId: byApple ? '' : `50300${wxRefundId.slice(3)}`,
    RetryTimes: attempt - 1,
  }
}

/** What was paid, or what an injected fault says instead (virtual payment §4.4). */
function deliveryContent(order: VirtualOrderRecord, faults: InjectedFaults) {
  const price = order.amountFen + (faults.has('wrong_amount') ? 1 : 0)
  return {
    Event: 'xpay_goods_deliver_notify',
    OpenId: faults.has('wrong_payer') ? 'oSomebodyElse00000000000000' : order.payerOpenid,
    OutTradeNo: order.number,
    Env: faults.has('wrong_env') ? 1 - order.env : order.env,
    ...(order.transactionId !== null &&
      order.paidAt && {
        WeChatPayInfo: {
          MchOrderNo: order.channelOrderId,
          TransactionId: order.transactionId,
          PaidTime: seconds(order.paidAt),
        },
      }),
    GoodsInfo: {
      ProductId: faults.has('wrong_product') ? 'another' : order.productId,
      Quantity: 1,
      OrigPrice: price,
      ActualPrice: price,
      Attach: order.attach,
    },
    ...(faults.has('is_probe') && { IsMock: true }),
  }
}

const builder = new XMLBuilder({ cdataPropName: 'text' })

/** Texts as CDATA, numbers plainly, as the platform writes them. */
const inXml = (value: unknown): unknown => {
  if (typeof value === 'string') return { text: value }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inXml(part)]))
}

/** The faults that it meets, and the how-manieth delivery it is, from 1. */
type Sending = { faults: InjectedFaults; attempt: number }

/** A push as it is posted: sealed, and signed in its address (virtual payment §4.1, §4.2). */
export function pushMessage(state: PlatformState, about: PushAbout, sending: Sending): Notification {
  const { keys, push } = state.virtual
  if (!push) throw new RangeError('the platform was told no address for pushes')
  const { faults } = sending
  const skew = faults.has('clock_skew') ? (faults.rule('clock_skew')?.seconds ?? -600) : 0
  const timestamp = String(seconds(state.now()) + skew)
  const content = {
    ToUserName: keys.originalId,
    FromUserName: 'oWECHAT00000000000000000000',
    CreateTime: seconds(state.now()),
    MsgType: 'event',
    ...contentOf(state, about, sending),
  }
  const isXml = push.format === 'xml'
  const plain = isXml ? builder.build({ xml: inXml(content) }) : JSON.stringify(content)
  const appId = faults.has('wrong_app_id') ? 'wxffffffffffffffff' : state.keys.appId
  const sealed = sealMessage(plain, { token: keys.pushToken, aesKey: readAesKey(keys.pushAesKey), appId })
  const nonce = String(randomBytes(4).readUInt32BE())
  const token = faults.has('wrong_key') ? 'another' : keys.pushToken
  const query = new URLSearchParams({
    signature: pushSignatureOf([token, timestamp, nonce]),
    timestamp,
    nonce,
    openid: 'oWECHAT00000000000000000000',
    encrypt_type: 'aes',
    msg_signature: pushSignatureOf([token, timestamp, nonce, sealed]),
  })
  const sent = faults.has('corrupt_byte') ? flipped(sealed) : sealed
  const envelope = { ToUserName: keys.originalId, Encrypt: sent }
  return {
    url: `${push.url}?${query}`,
    notificationId: `push-${randomText(8)}`,
    outTradeNo: pushedNumber(about),
    headers: { 'content-type': isXml ? 'text/xml' : 'application/json' },
    body: isXml ? builder.build({ xml: inXml(envelope) }) : JSON.stringify(envelope),
  }
}

/** Another letter in place of one in the middle. */
const flipped = (text: string) => {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** The pauses before each repeat, in seconds: 2, 4, 8 … for 15 repeats (virtual payment §4.3). */
export const pushRepeatSeconds: readonly number[] = Array.from(
  { length: 15 },
  (_, repeat) => 2 ** (repeat + 1),
)

/** Whether an answer means delivered; an empty one does (virtual payment §4.3). */
export const isPushAccepted = ({ status, answer }: { status: number | null; answer: string }): boolean =>
  status === 200 &&
  (answer === '' ||
    answer === 'success' ||
    /^\s*\{\s*"ErrCode"\s*:\s*0\s*[,}]/.test(answer) ||
    answer.includes('<ErrCode>0</ErrCode>'))
