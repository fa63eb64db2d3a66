import { isByApple, type PaymentParams, VirtualPaymentParams } from '@meridian/contracts'
import {
  type Connection,
  column,
  execute,
  nullable,
  oneOf,
  type Part,
  type Pool,
  Prisma,
  part,
  query,
  type RowOf,
  rowsOf,
  statement,
} from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { appendEventsPart } from './append-event.ts'
import { moveOrderParts } from './move-order.ts'
import { sweepSoon } from './sweep-schedule.ts'

const { sql } = Prisma

/** For so long a repeat gets the answer that was signed for the call before it (SPEC §15). */
const answeredAgainFor = sql`interval '10 seconds'`

const attemptColumns = {
  number: column.text,
  /** What was answered, while it may be answered again; null afterwards. */
  params: nullable(column.text),
  state: oneOf(['open', 'paid', 'second', 'closed']),
}
export type Attempt = RowOf<typeof attemptColumns>

/** The attempts of an order, newest first: each number was signed once. */
export const listAttempts = (db: Connection, outTradeNo: string): Promise<Attempt[]> =>
  execute(
    db,
    query(
      'list-attempts',
      sql`
      SELECT a.number, CASE WHEN a.signed_at > business_now() - ${answeredAgainFor} THEN a.params END AS params, a.state
      FROM order_attempts a JOIN orders o ON o.id = a.order_id WHERE o.out_trade_no = ${outTradeNo}
      ORDER BY a.signed_at DESC, a.number DESC`,
      attemptColumns,
    ),
  )

const openColumns = { number: column.text, payerOpenid: column.text }
export type OpenAttempt = RowOf<typeof openColumns>

/** The attempts of an order that may still be paid, and by whom. */
export const listOpenAttempts = (db: Connection, outTradeNo: string): Promise<OpenAttempt[]> =>
  execute(
    db,
    query(
      'list-open-attempts',
      sql`
      SELECT a.number, o.payer_openid AS "payerOpenid" FROM order_attempts a JOIN orders o ON o.id = a.order_id
      WHERE o.out_trade_no = ${outTradeNo} AND a.state = 'open' ORDER BY a.signed_at, a.number`,
      openColumns,
    ),
  )

/** The answer that was kept, byte for byte. */
export const readParams = (kept: string): PaymentParams => VirtualPaymentParams.parse(JSON.parse(kept))

export type Signed = {
  outTradeNo: string
  number: string
  params: PaymentParams
  requestId: string
}

/**
 * Keeps a signed attempt with its answer before it is given to anybody, moves the order to `prepay`, and takes back the
 * answers of the attempts before it. Its number is a primary key: no number is signed twice.
 */
export function keepAttemptStatement({ outTradeNo, number, params, requestId }: Signed) {
  const isFirst = number === outTradeNo
  const changes = sql`prepay_expires_at = o.expires_at, prepay_leased_until = NULL, prepay_failure = NULL`
  return statement({
    name: `keep-attempt${isFirst ? '-first' : ''}`,
    parts: [
      ...moveOrderParts(outTradeNo, 'prepare', changes),
      part(
        'spent',
        ['moved'],
        sql`UPDATE order_attempts SET params = NULL WHERE order_id IN (SELECT id FROM moved) AND params IS NOT NULL`,
      ),
      part(
        'attempt',
        ['moved'],
        sql`INSERT INTO order_attempts (number, order_id, params) SELECT ${number}, id, ${JSON.stringify(params)} FROM moved
          RETURNING number`,
      ),
      appendEventsPart(rowsOf('moved'), {
        kind: isFirst ? 'prepare' : 'attempt',
        trace: { channel: 'rest', requestId },
        detail: sql`jsonb_build_object('attempt_no', ${number}::text)`,
      }),
      scheduleJobPart('follow_up', rowsOf('moved'), sweepSoon),
    ],
    select: { reads: ['attempt'], sql: sql`SELECT number FROM attempt` },
    rows: { number: column.text },
  })
}

/** Answers whether it was kept: not where the order was paid or closed meanwhile. */
export const keepAttempt = async (pool: Pool, signed: Signed): Promise<boolean> =>
  (await execute(pool, keepAttemptStatement(signed))).length === 1

/** The attempts that pay the orders in `moved`, as the part `attempt` of a statement. */
export const payAttemptsPart: Part<'attempt', 'moved'> = part(
  'attempt',
  ['moved'],
  sql`UPDATE order_attempts a SET state = 'paid', params = NULL FROM moved
    WHERE a.number = moved.paid_attempt_no AND a.order_id = moved.id`,
)

type PaidAttempt = Pick<ConfirmedPayment, 'paymentNo' | 'tradeType'>

/**
 * An attempt that was paid too, as the part `attempt` of a statement. Whether Apple took it is kept at once: nothing else
 * says so of a payment that is not the order's, and Apple alone gives it back.
 */
export const secondAttemptPart = ({ paymentNo, ...payment }: PaidAttempt): Part<'attempt', never> =>
  part(
    'attempt',
    [],
    sql`UPDATE order_attempts SET state = 'second', params = NULL, by_apple = coalesce(by_apple, ${isByApple(payment)}::boolean)
      WHERE number = ${paymentNo} AND state IN ('open', 'closed')`,
  )

/** Closes attempts that the platform has closed, or that were asked about for 72 hours (SPEC §15). A payment of one still counts. */
export const closeAttempts = (pool: Pool, numbers: readonly string[]) =>
  execute(
    pool,
    query(
      'close-attempts',
      sql`UPDATE order_attempts SET state = 'closed', params = NULL
        WHERE number = ANY(${[...numbers]}::text[]) AND state = 'open'`,
    ),
  )

/**
 * Of an erased person: questions would name the payer, so that nobody can ask. A push may still say that one was paid.
 */
export const closeAttemptsOf = (db: Connection, userId: string) =>
  execute(
    db,
    query(
      'close-attempts-of-user',
      sql`UPDATE order_attempts a SET state = 'closed', params = NULL FROM orders o
        WHERE o.id = a.order_id AND o.user_id = ${userId}::uuid AND a.state = 'open'`,
    ),
  )

/** The sheet refused this number: the next call signs another. It may be paid all the same. */
export const spendAttempt = (pool: Pool, { outTradeNo, number }: { outTradeNo: string; number: string }) =>
  execute(
    pool,
    query(
      'spend-attempt',
      sql`UPDATE order_attempts SET params = NULL WHERE number = ${number}
        AND order_id = (SELECT id FROM orders WHERE out_trade_no = ${outTradeNo})`,
    ),
  )
