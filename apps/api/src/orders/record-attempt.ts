import type { AttemptAnswer } from '@meridian/contracts'
import { type Connection, column, execute, Prisma, part, query, reading, statement } from '@meridian/db'
import {
  type VirtualAnswer,
  type VirtualOrder,
  type VirtualPayments,
  virtualTradeType,
} from '@meridian/payments'
import { appendEventsPart } from './append-event.ts'

const { sql } = Prisma

/** One number of the platform, where no other attempt has it: a contradiction must not stop what follows from the rest. */
const newNumberSql = (name: Prisma.Sql, told: string | null): Prisma.Sql => sql`
  ${name} = coalesce(t.${name}, (SELECT ${told}::text WHERE NOT EXISTS (
    SELECT FROM order_attempts other WHERE other.${name} = ${told}::text)))`

/** Delivered, or beyond it: what was refunded is not delivered any more. */
const isDelivered = ({ state }: VirtualOrder) =>
  state === 'delivered' || state === 'refunding' || state === 'refunded'

/** What is told once stays: a settlement that is done never begins again, and its fee belongs to it. */
function factsSql(order: VirtualOrder): Prisma.Sql {
  const { state, at, feeFen } = order.settlement
  const isDone = sql`(t.settlement = 'done' OR ${state}::settlement_state = 'done')`
  return sql`
    asked_at = business_now(), platform_state = ${order.state satisfies AttemptAnswer}, platform_fen = ${order.amountFen}::int,
    platform_left_fen = ${order.leftFen}::int, by_apple = ${order.byApple}::boolean,
    ${newNumberSql(sql`wx_order_id`, order.wxOrderId)}, ${newNumberSql(sql`channel_order_id`, order.channelOrderId)},
    delivered_at = coalesce(t.delivered_at, CASE WHEN ${isDelivered(order)}::boolean THEN business_now() END),
    settlement = CASE WHEN ${isDone} THEN 'done' ELSE ${state}::settlement_state END,
    settled_at = CASE WHEN ${isDone} THEN coalesce(t.settled_at, ${at}::timestamptz) END,
    fee_fen = CASE WHEN ${isDone} THEN coalesce(t.fee_fen, ${feeFen}::int) END`
}

/**
 * What the platform says of an attempt, in one statement. It locks the order before the attempt, as a payment does, so
 * that none of the two waits for the other. That what was paid for is delivered is told on the timeline when it is first
 * known.
 */
export function recordAttemptStatement(order: VirtualOrder) {
  const tradeType = virtualTradeType(order)
  const transactionId = sql`(SELECT ${order.transactionId}::text WHERE NOT EXISTS (
    SELECT FROM orders other WHERE other.transaction_id = ${order.transactionId}::text))`
  return statement({
    name: 'record-attempt',
    parts: [
      part(
        'target',
        [],
        sql`
        SELECT id, status FROM orders
        WHERE id = (SELECT order_id FROM order_attempts WHERE number = ${order.number}) FOR NO KEY UPDATE`,
      ),
      part(
        'told',
        ['target'],
        sql`
        UPDATE order_attempts t SET ${factsSql(order)}
        FROM target o WHERE t.order_id = o.id AND t.number = ${order.number}
        RETURNING t.order_id, t.number, o.id, o.status AS from_status, o.status,
          t.state = 'paid' AND t.delivered_at = business_now()::timestamptz(3) AS delivered_now`,
      ),
      part(
        'corrected',
        ['told'],
        sql`
        UPDATE orders o SET transaction_id = coalesce(o.transaction_id, ${transactionId}), trade_type = ${tradeType}
        FROM told WHERE o.id = told.order_id AND o.paid_attempt_no = told.number
          AND (o.trade_type IS DISTINCT FROM ${tradeType} OR (o.transaction_id IS NULL AND ${order.transactionId}::text IS NOT NULL))`,
      ),
      appendEventsPart(reading(['told'], sql`told WHERE delivered_now`), {
        kind: 'delivered',
        trace: { channel: 'job', requestId: null },
        detail: sql`jsonb_build_object('attempt_no', number)`,
      }),
    ],
    select: reading(['told'], sql`SELECT number FROM told`),
    rows: { number: column.text },
  })
}

/** The one writer of what the platform says of an attempt. May be repeated: nothing that was told once is lost. */
export async function recordAttemptFacts(db: Connection, order: VirtualOrder): Promise<void> {
  await execute(db, recordAttemptStatement(order))
}

/** That the platform knows no such number is an answer too. */
async function recordUnknownAttempt(db: Connection, attemptNo: string): Promise<void> {
  await execute(
    db,
    query(
      'record-unknown-attempt',
      sql`
      UPDATE order_attempts SET asked_at = business_now(), platform_state = 'no_such_order', platform_fen = NULL,
        platform_left_fen = NULL
      WHERE number = ${attemptNo}`,
    ),
  )
}

/** An attempt, and who the platform has to be told is its payer. */
export type AskedAttempt = { attemptNo: string; payerOpenid: string }

/**
 * Asks the platform about an attempt and keeps what it says.
 * @throws MiniProgramError where it says nothing; nothing is changed then
 */
export async function askAttempt(
  { virtual, db }: { virtual: VirtualPayments; db: Connection },
  { attemptNo, payerOpenid }: AskedAttempt,
): Promise<VirtualAnswer> {
  const answer = await virtual.queryAttempt(attemptNo, payerOpenid)
  if (answer.state === 'no_such_order') await recordUnknownAttempt(db, attemptNo)
  else await recordAttemptFacts(db, answer.order)
  return answer
}
