import { z } from 'zod'
import { paySigOf, sameSignature } from '../virtual/signatures.ts'
import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { failure, success, withToken } from './mini-program-endpoints.ts'
import type { VirtualOrderRecord, VirtualRefundRecord } from './platform-records.ts'
import { randomText, saveVirtualOrder, scheduleTask } from './platform-state.ts'
import type { Reply } from './reply.ts'
import { orderObject, refundObject } from './virtual-order-objects.ts'
import { saveItem, saveVirtualRefund } from './virtual-orders.ts'

const env = z.union([z.literal(0), z.literal(1)])
const badParameters = failure(268490002, 'invalid parameter')
const unknownNumber = failure(268490002, '数据不存在')
const wrongUser = failure(268490001, 'openid错误')

type Asked<Body> = EndpointRequest & { asked: Body }

/**
 * One `/xpay/` call: token first, then the signature over the bytes of the body under the key of its `env`, then the
 * parameters (virtual payment §3.1). Bills carry no `env`: they are signed with the live key.
 */
function xpay<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  answer: (request: Asked<z.output<Schema>>) => Reply,
): PlatformEndpoint {
  const path = `/xpay/${name}`
  return {
    method: 'POST',
    path: new RegExp(`^${path}$`),
    place: 'xpay',
    orderOf: ({ body: { order_id: number } }) => (typeof number === 'string' ? number : null),
    answer: withToken((request) => {
      const { appKeys } = request.state.virtual.keys
      const key = appKeys[request.body['env'] === 1 ? 1 : 0]
      const expected = paySigOf(key, path, request.text)
      if (!sameSignature(expected, request.query.get('pay_sig') ?? '')) {
        return failure(268490003, '支付签名(pay_sig)校验失败')
      }
      const asked = schema.safeParse(request.body)
      return asked.success ? answer({ ...request, asked: asked.data }) : badParameters
    }),
  }
}

const queryOrder = xpay(
  'query_order',
  z.object({ openid: z.string().optional(), env, order_id: z.string() }),
  ({ state, asked }) => {
    const { virtual } = state
    const refund = virtual.refunds.get(asked.order_id)
    const order = virtual.orders.get(refund?.orderNumber ?? asked.order_id)
    if (asked.openid === undefined) return wrongUser
    if (!order || order.env !== asked.env) return unknownNumber
    if (order.payerOpenid !== asked.openid) return wrongUser
    return success({ order: refund ? refundObject(refund, order, state) : orderObject(order, state) })
  },
)

const provideGoods = xpay(
  'notify_provide_goods',
  z.object({ order_id: z.string(), env }),
  ({ state, asked }) => {
    const order = state.virtual.orders.get(asked.order_id)
    if (!order || order.env !== asked.env) return unknownNumber
    if (!order.paidAt) return badParameters
    if (order.status < 4) saveVirtualOrder(state, { ...order, status: 4 })
    return success()
  },
)

const RefundParameters = z.object({
  openid: z.string(),
  order_id: z.string(),
  refund_order_id: z.string().regex(/^[A-Za-z0-9_-]{8,32}$/),
  left_fee: z.number().int(),
  refund_fee: z.number().int().positive(),
  biz_meta: z.string().max(1024),
  refund_reason: z.enum(['0', '1', '2', '3', '4', '5']),
  req_from: z.enum(['1', '2', '3']),
  env,
})

/** Begins a refund, once per number; it ends by itself, as refunds of the other channel do (virtual payment §3.4). */
const refundOrder = xpay('refund_order', RefundParameters, ({ state, asked, text, faults }) => {
  const { orders, refunds } = state.virtual
  const order = orders.get(asked.order_id)
  if (!order || order.env !== asked.env) return unknownNumber
  if (order.payerOpenid !== asked.openid) return wrongUser
  if (order.byApple) return failure(268490017, 'IOS订单不支持开发者发起退款')
  const known = refunds.get(asked.refund_order_id)
  if (known && known.request !== text) return badParameters
  if (known) return known.status === 5 ? failure(268490014, 'refund running') : refundAnswer(known, order)
  if (asked.left_fee !== order.leftFen) return failure(268490016, 'left_fee错误')
  if (asked.refund_fee > order.leftFen) return badParameters
  const refund: VirtualRefundRecord = {
    number: asked.refund_order_id,
    wxRefundId: `wxr${randomText(8)}`,
    orderNumber: order.number,
    request: text,
    amountFen: asked.refund_fee,
    status: 5,
    byApple: false,
    createdAt: state.now(),
    refundedAt: null,
  }
  saveVirtualOrder(state, { ...order, status: 5, leftFen: order.leftFen - asked.refund_fee })
  saveVirtualRefund(state, refund)
  const end = faults.has('refund_closed') ? 'FAILED' : 'SUCCESS'
  if (state.refundsSettleAfterMs !== null) {
    scheduleTask(state, { act: 'end_virtual_refund', number: refund.number, end }, state.refundsSettleAfterMs)
  }
  return refundAnswer(refund, order)
})

const refundAnswer = (refund: VirtualRefundRecord, order: VirtualOrderRecord) =>
  success({
    refund_order_id: refund.number,
    refund_wx_order_id: refund.wxRefundId,
    pay_order_id: order.number,
    pay_wx_order_id: order.wxOrderId,
  })

const itemId = z.string().regex(/^[A-Za-z0-9_-]{1,20}$/)
const UploadedItem = z.object({
  id: itemId,
  name: z.string().min(1).max(20),
  price: z.number().int().positive(),
  remark: z.string().min(1).max(1024),
  item_url: z.url(),
})

const uploadItem = xpay(
  'start_upload_goods',
  z.object({ upload_item: z.array(UploadedItem).length(1), env }),
  ({ state, asked }) => {
    for (const { id, price } of asked.upload_item) {
      const publishedAt = state.virtual.items.get(id)?.publishedAt ?? null
      saveItem(state, { id, priceFen: price, publishedAt })
    }
    return success()
  },
)

const publishItem = xpay(
  'start_publish_goods',
  z.object({ publish_item: z.array(z.object({ id: itemId })).length(1), env }),
  ({ state, asked }) => {
    for (const { id } of asked.publish_item) {
      const item = state.virtual.items.get(id)
      if (!item) return badParameters
      saveItem(state, { ...item, publishedAt: state.now() })
    }
    return success()
  },
)

/** Tasks end at once here: what was uploaded and published is what there is. */
const queryUploads = xpay('query_upload_goods', z.object({ env }), ({ state: { virtual } }) => {
  const items = [...virtual.items.values()].map(({ id, priceFen: price }) => ({
    id,
    price,
    upload_status: 2,
    errmsg: '',
  }))
  return success({ upload_item: items, status: items.length > 0 ? 3 : 0 })
})

const queryPublications = xpay('query_publish_goods', z.object({ env }), ({ state: { virtual } }) => {
  const published = [...virtual.items.values()].filter(({ publishedAt }) => publishedAt)
  const items = published.map(({ id }) => ({ id, publish_status: 2, errmsg: '' }))
  return success({ publish_item: items, status: items.length > 0 ? 3 : 0 })
})

/** Nobody has written down what a bill looks like: here it is ordinary CSV (virtual payment §3.7). */
const downloadBill = xpay(
  'download_bill',
  z.object({ begin_ds: z.number().int(), end_ds: z.number().int() }),
  ({ state, asked, origin }) => {
    const isOfDay = ({ paidAt, byApple, env: of }: VirtualOrderRecord) =>
      paidAt !== null && !byApple && of === 0 && dayOf(paidAt) === asked.begin_ds
    return success({ url: linkTo(state, origin, [...state.virtual.orders.values()].filter(isOfDay)) })
  },
)

const downloadAppleBill = xpay(
  'download_ios_settlement_bill',
  z.object({ start_month: z.string(), end_month: z.string() }),
  ({ state, asked, origin }) => {
    const isOfMonth = ({ paidAt, byApple }: VirtualOrderRecord) =>
      paidAt !== null && byApple && String(dayOf(paidAt)).startsWith(asked.start_month)
    const orders = [...state.virtual.orders.values()].filter(isOfMonth)
    const bills = [{ month: asked.start_month, bill_url: linkTo(state, origin, orders) }]
    return success({ bill_list: orders.length > 0 ? bills : [] })
  },
)

const CHINA_OFFSET_MS = 8 * 3_600_000
const dayOf = (at: Date) =>
  Number(new Date(at.getTime() + CHINA_OFFSET_MS).toISOString().slice(0, 10).replaceAll('-', ''))

function linkTo(
  { billLinks, now }: EndpointRequest['state'],
  origin: string,
  orders: readonly VirtualOrderRecord[],
) {
  const lines = orders.map(({ number, wxOrderId, amountFen }) => `${number},${wxOrderId},${amountFen}`)
  const token = randomText(16)
  const bytes = Buffer.from(['order_id,wx_order_id,order_fee', ...lines, ''].join('\n'))
  billLinks.set(token, { bytes, type: 'text/csv; charset=utf-8', madeAt: now() })
  return `${origin}/xpay-bills/download?token=${token}`
}

const LINK_LIVES_MS = 30 * 60_000

const billFile: PlatformEndpoint = {
  method: 'GET',
  path: /^\/xpay-bills\/download$/,
  place: 'bill_download',
  answer: ({ state, query }) => {
    const link = state.billLinks.get(query.get('token') ?? '')
    const isAlive = link !== undefined && state.now().getTime() - link.madeAt.getTime() <= LINK_LIVES_MS
    return isAlive
      ? { status: 200, body: link.bytes, signed: false, type: link.type }
      : { status: 403, body: Buffer.from(''), signed: false, type: 'text/plain' }
  },
}

/** The server's side of virtual payment, goods (virtual payment §3). */
export const virtualEndpoints: readonly PlatformEndpoint[] = [
  queryOrder,
  provideGoods,
  refundOrder,
  uploadItem,
  publishItem,
  queryUploads,
  queryPublications,
  downloadBill,
  downloadAppleBill,
  billFile,
]
