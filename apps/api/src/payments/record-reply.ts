import type { PlatformReply } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import type { OrderAnswer } from '@meridian/payments'
import { appendRepliesSql, type ReplyKind, type Trace } from '../orders/append-event.ts'
import { orderSnapshotSql } from '../orders/find-payable-order.ts'
import type { Services } from '../services.ts'

export type UnpaidAnswer = Exclude<OrderAnswer, { state: 'paid' | 'refunded' }>

/** What the platform says of an unpaid order, for the timeline. */
export const unpaidReply = (answer: UnpaidAnswer): PlatformReply => ({
  answer: answer.state,
  ...(answer.state === 'unknown' && { platform_state: answer.tradeState }),
  platform_request_id: answer.requestId,
})

type Reply = { outTradeNo: string; kind: ReplyKind; trace: Trace; reply: PlatformReply }

/** One line on the timeline. It never fails: the platform's word counts, whether or not it could be told here. */
export async function recordReply(
  { database, log }: Services,
  { outTradeNo, ...told }: Reply,
): Promise<void> {
  try {
    await execute(database.pool, query('record-reply', appendRepliesSql(orderSnapshotSql(outTradeNo), told)))
  } catch (error) {
    log.error({ err: error, outTradeNo }, 'what the platform replied could not be told on the timeline')
  }
}
