import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { OrderParameters } from './order-parameters.ts'
import type { PlatformOrder } from './platform-records.ts'
import { type PlatformState, randomText, saveOrder } from './platform-state.ts'
import type { PlantedOrder } from './platform-types.ts'
import { badParameter, badQuery, done, ok, Refusal, type Reply, readOrRefuse, stableText } from './reply.ts'
import { faultyFacts, transactionObject } from './transaction-object.ts'

function prepay({ state, body }: EndpointRequest): Reply {
  const parameters = readOrRefuse(OrderParameters, body)
  const { keys } = state
  if (parameters.mchid !== keys.mchId) throw badParameter('/mchid', '与Authorization中的商户号不一致')
  if (parameters.appid !== keys.appId) {
    throw new Refusal(400, { code: 'APPID_MCHID_NOT_MATCH', message: 'appid和mch_id不匹配' })
  }
  const known = state.orders.get(parameters.out_trade_no)
  if (known) refuseRepeat(known, stableText(parameters))
  const expiresAt = parameters.time_expire ? new Date(parameters.time_expire) : null
  if (expiresAt && expiresAt <= state.now()) throw badParameter('/time_expire', '订单失效时间早于当前时间')
  const order = known ?? newOrder(state, parameters, expiresAt)
  const prepayId = newPrepayId(state, order)
  saveOrder(state, order)
  return ok({ prepay_id: prepayId })
}

/** An unpaid order may be repeated with identical parameters only (protocol §3.2). */
function refuseRepeat(order: PlatformOrder, request: string): void {
  if (order.state === 'CLOSED') throw new Refusal(400, { code: 'ORDER_CLOSED', message: '订单已关闭' })
  if (order.state !== 'NOTPAY') throw new Refusal(400, { code: 'ORDER_PAID', message: '该订单已支付' })
  if (order.request !== request)
    throw new Refusal(403, { code: 'OUT_TRADE_NO_USED', message: '201 商户订单号重复' })
}

const newOrder = (
  state: PlatformState,
  parameters: OrderParameters,
  expiresAt: Date | null,
): PlatformOrder => ({
  outTradeNo: parameters.out_trade_no,
  request: stableText(parameters),
  description: parameters.description,
  amountFen: parameters.amount.total,
  currency: parameters.amount.currency ?? 'CNY',
  appId: parameters.appid,
  mchId: parameters.mchid,
  payerOpenid: parameters.payer.openid,
  attach: parameters.attach ?? null,
  deviceId: parameters.scene_info?.device_id ?? null,
  limitPay: parameters.limit_pay ?? [],
  isProfitSharing: parameters.settle_info?.profit_sharing ?? false,
  notifyUrl: parameters.notify_url,
  expiresAt,
  createdAt: state.now(),
  state: 'NOTPAY',
  closedAt: null,
  prepayIds: [],
  payments: [],
})

/** Makes an unpaid order as if its prepay had been asked for. */
export function plantOrder(state: PlatformState, planted: PlantedOrder): void {
  const { appId, mchId } = state.keys
  const parameters = {
    appid: appId,
    mchid: mchId,
    description: planted.outTradeNo,
    out_trade_no: planted.outTradeNo,
    notify_url: 'http://127.0.0.1/api/v1/payment/notify',
    amount: { total: planted.amountFen },
    payer: { openid: planted.payerOpenid },
  }
  saveOrder(state, newOrder(state, parameters, null))
}

function newPrepayId(state: PlatformState, order: PlatformOrder): string {
  const day = state.now().toISOString().replace(/\D/g, '').slice(0, 14)
  const prepayId = `wx${day}${randomText(8)}0000`
  order.prepayIds.push({ id: prepayId, madeAt: state.now() })
  return prepayId
}

function orderOrRefuse(state: PlatformState, outTradeNo: string | null | undefined): PlatformOrder {
  const order = state.orders.get(outTradeNo ?? '')
  if (!order) throw new Refusal(404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' })
  return order
}

const otherMchId = '商户号缺失或不一致'

const query = ({ state, query: asked, faults }: EndpointRequest, order: PlatformOrder): Reply => {
  if (asked.get('mchid') !== state.keys.mchId) throw badQuery('mchid', otherMchId)
  return ok(transactionObject(order, faultyFacts(order, faults)))
}

function close({ state, parts, body }: EndpointRequest): Reply {
  const { mchid } = body
  if (mchid !== state.keys.mchId) throw badParameter('/mchid', otherMchId)
  const { outTradeNo } = parts
  const order = orderOrRefuse(state, outTradeNo)
  if (order.state === 'SUCCESS' || order.state === 'REFUND') {
    throw new Refusal(400, { code: 'ORDER_PAID', message: '该订单已支付' })
  }
  if (order.state !== 'CLOSED') Object.assign(order, { state: 'CLOSED', closedAt: state.now() })
  saveOrder(state, order)
  return done
}

type Parts = { parts: Readonly<Record<string, string>> }

const outTradeNoIn = ({ parts: { outTradeNo } }: Parts): string | null => outTradeNo ?? null

const byTransaction = ({ state, parts: { transactionId } }: Parts & { state: PlatformState }) =>
  [...state.orders.values()].find(({ payments }) =>
    payments.some((payment) => payment.transactionId === transactionId),
  )

/** Ordering, asking and closing (protocol §3, §4). */
export const orderEndpoints: readonly PlatformEndpoint[] = [
  {
    method: 'POST',
    path: /^\/v3\/pay\/transactions\/jsapi$/,
    place: 'prepay',
    answer: prepay,
    orderOf: ({ body: { out_trade_no } }) => (typeof out_trade_no === 'string' ? out_trade_no : null),
  },
  {
    method: 'GET',
    path: /^\/v3\/pay\/transactions\/out-trade-no\/(?<outTradeNo>[^/]+)$/,
    place: 'query',
    answer: (request) => query(request, orderOrRefuse(request.state, outTradeNoIn(request))),
    orderOf: outTradeNoIn,
  },
  {
    method: 'GET',
    path: /^\/v3\/pay\/transactions\/id\/(?<transactionId>[^/]+)$/,
    place: 'query',
    answer: (request) => {
      const order = byTransaction(request)
      return query(request, orderOrRefuse(request.state, order?.outTradeNo))
    },
    orderOf: (request) => byTransaction(request)?.outTradeNo ?? null,
  },
  {
    method: 'POST',
    path: /^\/v3\/pay\/transactions\/out-trade-no\/(?<outTradeNo>[^/]+)\/close$/,
    place: 'close',
    answer: close,
    orderOf: outTradeNoIn,
  },
]
