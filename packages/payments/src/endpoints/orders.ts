import { z } from 'zod'
import type { Credentials } from '../check-settings.ts'
import type { PrepayOrder } from '../payments.ts'
import { isFields } from '../read-fields.ts'
import { type Endpoint, invalid, readsNothing } from './endpoint.ts'

const PrepayAnswer = z.object({ prepay_id: z.string().min(1).max(64) })

const OUT_TRADE_NO = /^[0-9A-Za-z_-]{6,32}$/
const LONGEST_DESCRIPTION = 127
const CHINA_OFFSET_MS = 8 * 3_600_000

/** RFC 3339 in China time, to the second, as the platform's own examples are written (protocol §1.1). */
export const chinaTime = (time: Date): string =>
  `${new Date(time.getTime() + CHINA_OFFSET_MS).toISOString().slice(0, 19)}+08:00`

/**
 * `POST /v3/pay/transactions/jsapi` (protocol §3.1). The same order always gives the same bytes, which is what makes
 * a repeat the same order (§3.2). Throws PaymentsError `invalid_request`.
 */
export function prepay({ appId, mchId, notifyUrl }: Credentials, order: PrepayOrder): Endpoint<string> {
  checkOrder(order)
  return {
    name: 'prepay',
    method: 'POST',
    path: '/v3/pay/transactions/jsapi',
    body: {
      appid: appId,
      mchid: mchId,
      description: order.description,
      out_trade_no: order.outTradeNo,
      time_expire: chinaTime(order.expiresAt),
      notify_url: notifyUrl,
      amount: { total: order.amountFen, currency: 'CNY' },
      payer: { openid: order.payerOpenid },
    },
    read: (content) => PrepayAnswer.safeParse(content).data?.prepay_id,
  }
}

function checkOrder({ outTradeNo, description, amountFen, payerOpenid, expiresAt }: PrepayOrder): void {
  if (!OUT_TRADE_NO.test(outTradeNo)) throw invalid('/out_trade_no is not 6 to 32 of [0-9A-Za-z_-]')
  if (description.trim() === '') throw invalid('/description is empty')
  if (description.length > LONGEST_DESCRIPTION) throw invalid('/description is over 127 characters')
  if (!Number.isSafeInteger(amountFen) || amountFen < 1) throw invalid('/amount/total is not at least 1 fen')
  if (payerOpenid === '' || payerOpenid.length > 128)
    throw invalid('/payer/openid is empty or over 128 characters')
  if (Number.isNaN(expiresAt.getTime())) throw invalid('/time_expire is not a time')
}

const readFields = (content: unknown) => (isFields(content) ? content : undefined)

/** `GET /v3/pay/transactions/out-trade-no/…` (protocol §4.1): the only way to find an unpaid order. */
export const queryOrder = ({ mchId }: Credentials, outTradeNo: string) =>
  ({
    name: 'query_order',
    method: 'GET',
    path: `/v3/pay/transactions/out-trade-no/${encodeURIComponent(outTradeNo)}?mchid=${encodeURIComponent(mchId)}`,
    read: readFields,
  }) as const

/** `GET /v3/pay/transactions/id/…` (protocol §4.1). */
export const queryTransaction = ({ mchId }: Credentials, transactionId: string) =>
  ({
    name: 'query_transaction',
    method: 'GET',
    path: `/v3/pay/transactions/id/${encodeURIComponent(transactionId)}?mchid=${encodeURIComponent(mchId)}`,
    read: readFields,
  }) as const

/** `POST …/close` (protocol §4.2): answers 204. */
export const closeOrder = ({ mchId }: Credentials, outTradeNo: string) =>
  ({
    name: 'close_order',
    method: 'POST',
    path: `/v3/pay/transactions/out-trade-no/${encodeURIComponent(outTradeNo)}/close`,
    body: { mchid: mchId },
    read: readsNothing,
  }) as const
