import { z } from 'zod'
import { parseJson } from '../read-fields.ts'
import { CLIENT_CALL, paySigOf, sameSignature, userSignatureOf } from '../virtual/signatures.ts'
import type { VirtualPaymentParams } from '../virtual/virtual-payments.ts'
import { announce } from './deliver-notifications.ts'
import type { Delivery } from './notification-types.ts'
import { PhoneError, transactionDigits } from './pay-order.ts'
import type {
  VirtualItemRecord,
  VirtualOrderRecord,
  VirtualPayer,
  VirtualRefundRecord,
} from './platform-records.ts'
import { type PlatformState, randomText, saveVirtualOrder, scheduleTask } from './platform-state.ts'
import type { SheetChanges } from './platform-types.ts'

/** What `wx.requestVirtualPayment` fails with (virtual payment §2.5). */
export class VirtualPhoneError extends PhoneError {
  readonly errCode: number

  constructor(errCode: number, reason: string) {
    super(reason)
    this.message = `requestVirtualPayment:fail ${reason}`
    this.name = 'VirtualPhoneError'
    this.errCode = errCode
  }
}

const SignData = z.strictObject({
  offerId: z.string(),
  buyQuantity: z.number().int().positive(),
  env: z.union([z.literal(0), z.literal(1)]),
  currencyType: z.string(),
  productId: z.string(),
  goodsPrice: z.number().int().positive(),
  outTradeNo: z.string(),
  attach: z.string(),
})
type SignData = z.infer<typeof SignData>

const NUMBER = /^[0-9A-Za-z\-|*@][0-9A-Za-z_\-|*@]{7,31}$/
/** An item sells so long after it was published (virtual payment §2.5, -15014). */
const SELLABLE_AFTER_MS = 10 * 60_000
const APPLE_LEAST_FEN = 100

/** Opens the sheet: checks what WeChat checks, in its order, and makes the order. From now on its number is used. */
export function openSheet(
  state: PlatformState,
  params: VirtualPaymentParams,
  payer: VirtualPayer,
): VirtualOrderRecord {
  const { keys } = state.virtual
  const data = SignData.safeParse(parseJson(Buffer.from(params.signData))).data
  if (!data || params.mode !== 'short_series_goods') throw new VirtualPhoneError(-15016, 'SIGN_DATA_INVALID')
  const sessionKey = state.virtual.sessionKeys.get(payer.openid) ?? ''
  if (!sameSignature(userSignatureOf(sessionKey, params.signData), params.signature))
    throw new VirtualPhoneError(-15007, 'SESSION_KEY_EXPIRED')
  if (!sameSignature(paySigOf(keys.appKeys[data.env], CLIENT_CALL, params.signData), params.paySig))
    throw new VirtualPhoneError(-15006, 'PAY_SIG_INVALID')
  refuseUnsaleable(state, data, payer)
  const order: VirtualOrderRecord = {
    number: data.outTradeNo,
    wxOrderId: `wxo${randomText(8)}`,
    channelOrderId: `xpay${randomText(10)}`,
    transactionId: null,
    productId: data.productId,
    amountFen: data.goodsPrice * data.buyQuantity,
    attach: data.attach,
    payerOpenid: payer.openid,
    env: data.env,
    byApple: payer.system === 'ios',
    status: 1,
    createdAt: state.now(),
    paidAt: null,
    leftFen: 0,
  }
  saveVirtualOrder(state, order)
  if (state.sheetsCloseAfterMs !== null)
    scheduleTask(state, { act: 'close_sheet', number: order.number }, state.sheetsCloseAfterMs)
  return order
}

/** Ends a number that was not paid: nobody can pay it any more (virtual payment §3.3, status 6). */
export function closeSheet(state: PlatformState, order: VirtualOrderRecord): VirtualOrderRecord {
  if (order.status > 1) return order
  const closed = { ...order, status: 6 }
  saveVirtualOrder(state, closed)
  return closed
}

function refuseUnsaleable(
  state: PlatformState,
  data: SignData,
  { system, release = true }: VirtualPayer,
): void {
  const { keys, orders, items } = state.virtual
  if (data.offerId !== keys.offerId) throw new VirtualPhoneError(-15001, 'OFFER_ID_INVALID')
  if (!NUMBER.test(data.outTradeNo)) throw new VirtualPhoneError(-15001, 'OUT_TRADE_NO_INVALID')
  if (data.currencyType !== 'CNY') throw new VirtualPhoneError(-15004, 'CURRENCY_TYPE_INVALID')
  if (data.env === 1 && (release || system === 'ios'))
    throw new VirtualPhoneError(-15011, 'PAYMENT_ILLEGAL_IN_SANDBOX')
  if (orders.has(data.outTradeNo)) {
    throw new VirtualPhoneError(-15002, system === 'ios' ? 'ios支付时订单号重复' : 'OUT_TRADE_NO_DUPLICATE')
  }
  const item = items.get(data.productId)
  if (!item?.publishedAt) throw new VirtualPhoneError(-15010, 'PRODUCT_ID_NOT_PUBLISH')
  if (state.now().getTime() - item.publishedAt.getTime() < SELLABLE_AFTER_MS / state.scheduleSpeed)
    throw new VirtualPhoneError(-15014, 'COIN_OR_PRODUCT_ID_CREATED_IN_RECENTLY')
  if (item.priceFen !== data.goodsPrice) throw new VirtualPhoneError(-15013, 'GOODS_PRICE_INVALID')
  if (system === 'ios' && data.goodsPrice < APPLE_LEAST_FEN)
    throw new VirtualPhoneError(-15001, 'IOS_ORDER_PRICE_TOO_LOW')
}

/** The payer confirms the sheet: the order is paid and the merchant told. */
export async function paySheet(
  state: PlatformState,
  order: VirtualOrderRecord,
  changes: SheetChanges = {},
): Promise<Delivery[]> {
  if (order.status === 6) throw new VirtualPhoneError(-15012, 'ORDER_CLOSED')
  if (order.paidAt) throw new VirtualPhoneError(-15002, 'OUT_TRADE_NO_DUPLICATE')
  const paidAt = changes.paidAt ?? state.now()
  const transactionId = order.byApple ? null : `42000${transactionDigits(paidAt)}`
  const paid = { ...order, status: 2, paidAt, transactionId, leftFen: order.amountFen }
  saveVirtualOrder(state, paid)
  if (changes.silent || !state.virtual.push) return []
  return announce(state, { about: { delivery: paid }, once: changes.once ?? false })
}

/** Ends a refund that is on its way, and tells the merchant (virtual payment §4.5). */
export async function endVirtualRefund(
  state: PlatformState,
  refund: VirtualRefundRecord,
  end: 'SUCCESS' | 'FAILED' = 'SUCCESS',
): Promise<Delivery[]> {
  const ended = {
    ...refund,
    status: end === 'SUCCESS' ? 8 : 7,
    refundedAt: end === 'SUCCESS' ? state.now() : null,
  }
  saveVirtualRefund(state, ended)
  const order = state.virtual.orders.get(refund.orderNumber)
  if (order) {
    const leftFen = end === 'SUCCESS' ? order.leftFen : order.leftFen + refund.amountFen
    // A partial refund falls back to delivered (virtual payment §3.3).
    saveVirtualOrder(state, { ...order, leftFen, status: leftFen > 0 ? 4 : 8 })
  }
  return state.virtual.push ? announce(state, { about: { virtualRefund: ended }, once: false }) : []
}

/** Apple gives the money back by itself: no request of ours, no number of ours (virtual payment §4.5, §5). */
export function refundByApple(state: PlatformState, order: VirtualOrderRecord): Promise<Delivery[]> {
  if (!order.byApple || order.leftFen === 0) throw new RangeError('Apple has nothing to give back')
  const refund: VirtualRefundRecord = {
    number: `apple${randomText(10)}`,
    wxRefundId: `wxr${randomText(8)}`,
    orderNumber: order.number,
    request: '',
    amountFen: order.leftFen,
    status: 5,
    byApple: true,
    createdAt: state.now(),
    refundedAt: null,
  }
  saveVirtualOrder(state, { ...order, leftFen: 0, status: 5 })
  saveVirtualRefund(state, refund)
  return endVirtualRefund(state, refund)
}

export function saveVirtualRefund(state: PlatformState, refund: VirtualRefundRecord): void {
  state.virtual.refunds.set(refund.number, refund)
  state.store.save({ kind: 'virtual_refund', key: refund.number, value: refund })
}

export function saveItem(state: PlatformState, item: VirtualItemRecord): void {
  state.virtual.items.set(item.id, item)
  state.store.save({ kind: 'virtual_item', key: item.id, value: item })
}
