import { z } from 'zod'
import { invalid } from '../endpoints/endpoint.ts'
import type { AuthorizedCall } from '../mini-program/call-mini-program.ts'
import { MiniProgramError, type MiniProgramReason } from '../mini-program/mini-program.ts'
import { paySigOf } from './signatures.ts'
import { readVirtualOrder, type VirtualEnv, type VirtualOrder } from './virtual-order.ts'
import type {
  ItemTask,
  VirtualBill,
  VirtualItem,
  VirtualRefund,
  VirtualRefundReason,
} from './virtual-payments.ts'

/** One thing that virtual payment can be asked. Adding one is data: it cannot skip signing (virtual payment §3). */
export type XpayEndpoint<Content> = {
  /** Behind `/xpay/`. */
  name: string
  body: Readonly<Record<string, unknown>>
  /** Reads the answer; undefined when it is not what was promised. */
  read: (answer: unknown) => Content | undefined
  mayBeEmpty?: boolean
}

export type XpayCall = <Content>(endpoint: XpayEndpoint<Content>) => Promise<Content>

/**
 * The one road of every call: the body is serialised once, signed with the AppKey of the environment and sent as it was
 * signed, under the mini-program's access token (virtual payment §3.1). Answers carry no signature: TLS is their only
 * proof. Throws MiniProgramError.
 */
export const xpayCaller =
  (call: AuthorizedCall, appKey: string): XpayCall =>
  async ({ name, body, read, mayBeEmpty = false }) => {
    const path = `/xpay/${name}`
    const text = JSON.stringify(body)
    const query = { pay_sig: paySigOf(appKey, path, text) }
    const content = read(await call({ name, path, body: text, query, mayBeEmpty, reasonOf }))
    if (content === undefined) throw new MiniProgramError('unreachable')
    return content
  }

const PARAMETER_WRONG = 268490002

const reasons: Readonly<Record<number, MiniProgramReason>> = {
  268490001: 'invalid_request',
  [PARAMETER_WRONG]: 'invalid_request',
  268490003: 'misconfigured',
  268490007: 'invalid_request',
  268490009: 'invalid_code',
  268490011: 'not_yet',
  268490012: 'not_yet',
  268490013: 'not_refundable',
  268490014: 'not_yet',
  268490015: 'busy',
  268490016: 'left_changed',
  268490021: 'misconfigured',
}

/**
 * Two answers must be told by their text: that there is no such order shares its number with every wrong parameter, and
 * under another number it says nothing (§3.11, V16); of the refusal of Apple's orders the number is nowhere written (§3.4).
 */
function reasonOf(errcode: number, errmsg: string): MiniProgramReason | undefined {
  if (errcode === PARAMETER_WRONG && errmsg.includes('数据不存在')) return 'unknown_order'
  if (errmsg.includes('IOS订单不支持开发者发起退款')) return 'not_refundable'
  return reasons[errcode]
}

const done = () => null

/** `query_order`, of a payment or of a refund (virtual payment §3.2). */
export const queryOrder = (number: string, openid: string, env: VirtualEnv): XpayEndpoint<VirtualOrder> => ({
  name: 'query_order',
  body: { openid, env, order_id: number },
  read: readVirtualOrder(number),
})

/**
 * `notify_provide_goods`: it may answer with nothing. Pages differ on whether it is signed; like every call it is (virtual
 * payment §3.5, assumption in §9).
 */
export const provideGoods = (attemptNo: string, env: VirtualEnv): XpayEndpoint<null> => ({
  name: 'notify_provide_goods',
  body: { order_id: attemptNo, env },
  read: done,
  mayBeEmpty: true,
})

const reasonNumbers = {
  none: '0',
  product: '1',
  after_sales: '2',
  users_wish: '3',
  price: '4',
  other: '5',
} as const satisfies Record<VirtualRefundReason, string>
const requesterNumbers = { staff: '1', user: '2', other: '3' } as const

const RefundAnswer = z
  .object({ refund_wx_order_id: z.string().nullish() })
  .transform(({ refund_wx_order_id: id }) => ({ platformRefundId: id || null }))

/** `refund_order` (virtual payment §3.4). Reasons and requesters are texts of digits there. */
export function requestRefund(
  { outRefundNo, attemptNo, payerOpenid, amountFen, leftFen, reason, requestedBy }: VirtualRefund,
  env: VirtualEnv,
): XpayEndpoint<{ platformRefundId: string | null }> {
  if (!/^[A-Za-z0-9_-]{8,32}$/.test(outRefundNo)) throw invalid('refund_order_id')
  if (!Number.isSafeInteger(amountFen) || amountFen < 1 || amountFen > leftFen) throw invalid('refund_fee')
  return {
    name: 'refund_order',
    body: {
      openid: payerOpenid,
      order_id: attemptNo,
      refund_order_id: outRefundNo,
      left_fee: leftFen,
      refund_fee: amountFen,
      biz_meta: outRefundNo,
      refund_reason: reasonNumbers[reason],
      req_from: requesterNumbers[requestedBy],
      env,
    },
    read: (answer) => RefundAnswer.safeParse(answer).data,
  }
}

/** `start_upload_goods`, one item a call (virtual payment §3.6). */
export const uploadItem = (
  { id, name, priceFen, remark, pictureUrl }: VirtualItem,
  env: VirtualEnv,
): XpayEndpoint<null> => ({
  name: 'start_upload_goods',
  body: { upload_item: [{ id, name, price: priceFen, remark, item_url: pictureUrl }], env },
  read: done,
})

/** `start_publish_goods`, one item a call (virtual payment §3.6). */
export const publishItem = (id: string, env: VirtualEnv): XpayEndpoint<null> => ({
  name: 'start_publish_goods',
  body: { publish_item: [{ id }], env },
  read: done,
})

const taskStates = ['none', 'running', 'failed', 'done'] as const
const itemStates = ['running', 'exists', 'done', 'failed'] as const
const taskState = z
  .number()
  .int()
  .transform((status) => taskStates[status] ?? 'failed')
const itemState = z
  .number()
  .int()
  .transform((status) => itemStates[status] ?? 'failed')

/** Fen, as it was uploaded; what is none is not told. */
const toldPrice = z.int().positive().nullable().catch(null)

const UploadTask = z
  .object({
    status: taskState,
    upload_item: z.array(z.object({ id: z.string(), upload_status: itemState, price: toldPrice })).nullish(),
  })
  .transform(
    ({ status, upload_item: items }): ItemTask => ({
      state: status,
      items: (items ?? []).map(({ id, upload_status, price }) => ({
        id,
        state: upload_status,
        priceFen: price,
      })),
    }),
  )

const PublishTask = z
  .object({
    status: taskState,
    publish_item: z.array(z.object({ id: z.string(), publish_status: itemState })).nullish(),
  })
  .transform(
    ({ status, publish_item: items }): ItemTask => ({
      state: status,
      items: (items ?? []).map(({ id, publish_status }) => ({ id, state: publish_status, priceFen: null })),
    }),
  )

export const uploadedItems = (env: VirtualEnv): XpayEndpoint<ItemTask> => ({
  name: 'query_upload_goods',
  body: { env },
  read: (answer) => UploadTask.safeParse(answer).data,
})

export const publishedItems = (env: VirtualEnv): XpayEndpoint<ItemTask> => ({
  name: 'query_publish_goods',
  body: { env },
  read: (answer) => PublishTask.safeParse(answer).data,
})

const billOf = (urls: readonly string[]): VirtualBill =>
  urls.length === 0 ? { state: 'later' } : { state: 'ready', urls }

const DailyBill = z.object({ url: z.string().nullish() }).transform(({ url }) => billOf(url ? [url] : []))
const AppleBill = z
  .object({ bill_list: z.array(z.object({ bill_url: z.string() })).nullish() })
  .transform(({ bill_list: bills }) => billOf((bills ?? []).flatMap(({ bill_url: url }) => url || [])))

/** `download_bill` of one day, `YYYY-MM-DD`: days are numbers there, and there is no `env` (virtual payment §3.7). */
export function dailyBill(date: string): XpayEndpoint<VirtualBill> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw invalid('begin_ds')
  const day = Number(date.replaceAll('-', ''))
  return {
    name: 'download_bill',
    body: { begin_ds: day, end_ds: day },
    read: (answer) => DailyBill.safeParse(answer).data,
  }
}

/** `download_ios_settlement_bill` of one month, `YYYY-MM`: months are texts there (virtual payment §3.7). */
export function appleBill(month: string): XpayEndpoint<VirtualBill> {
  if (!/^\d{4}-\d{2}$/.test(month)) throw invalid('start_month')
  const text = month.replace('-', '')
  return {
    name: 'download_ios_settlement_bill',
    body: { start_month: text, end_month: text },
    read: (answer) => AppleBill.safeParse(answer).data,
  }
}
