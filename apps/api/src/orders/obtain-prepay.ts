import type { PlatformReply } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, query, reading, rowsOf, statement } from '@meridian/db'
import { MiniProgramError, type Payments, PaymentsError } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { measureMove } from '../platform/measures/order-measures.ts'
import { appendEventsPart, appendRepliesPart } from './append-event.ts'
import { moveOrderParts } from './move-order.ts'
import { type OpenOrder, prepayLeaseSql } from './open-order.ts'
import { isUnpaidSql } from './read-orders.ts'
import { quickPrepayMs, sweepSoon } from './sweep-schedule.ts'

/**
 * Takes the right to ask the platform for this order's prepay, or to sign another number of it; false while another call
 * has it, and where another number than the `attempts` that the caller knows of was signed meanwhile.
 */
export async function leasePrepay(
  pool: Pool,
  outTradeNo: string,
  attempts: number | null = null,
): Promise<boolean> {
  const rows = await execute(
    pool,
    query(
      'lease-prepay',
      Prisma.sql`
      UPDATE orders SET prepay_leased_until = ${prepayLeaseSql}, prepay_failure = NULL
      WHERE out_trade_no = ${outTradeNo} AND ${isUnpaidSql()}
        AND (prepay_leased_until IS NULL OR prepay_leased_until <= business_now())
        AND (${attempts}::int IS NULL
          OR (SELECT count(*) FROM order_attempts a WHERE a.order_id = orders.id) = ${attempts}::int)
      RETURNING id`,
    ),
  )
  return rows.length === 1
}

export type PlatformFailure = 'payment_platform_error' | 'payment_platform_timeout'

/** A call that failed, by whichever of the two channels. */
export type FailedCall = PaymentsError | MiniProgramError

export const isFailedCall = (error: unknown): error is FailedCall =>
  error instanceof PaymentsError || error instanceof MiniProgramError

/** Which problem a failed call to the platform is for our client. */
export const platformFailure = (error: FailedCall): PlatformFailure =>
  error.reason === 'timeout' ? 'payment_platform_timeout' : 'payment_platform_error'

/** The platform's code of a refusal: a word by JSAPI, a number by virtual payment. */
const platformCodeOf = (error: FailedCall): string | null =>
  error instanceof PaymentsError ? error.code : error.errcode === null ? null : String(error.errcode)

/** The same for the timeline: never the platform's text, which is unsigned. */
export const failedReply = (error: FailedCall) =>
  ({
    answer: 'failed',
    code: platformFailure(error),
    platform_code: platformCodeOf(error),
    platform_request_id: error.requestId,
  }) satisfies PlatformReply

type Purchase = { order: OpenOrder; requestId: string }

/** The failed call, and what it was of the platform: null where the platform is well and the client's word did not hold. */
type Failure = { error: FailedCall; failure: PlatformFailure | null }

/** Gives the lease back and tells why, in one statement. */
export function failLease(pool: Pool, { order, requestId }: Purchase, { error, failure }: Failure) {
  const { code, ...word } = failedReply(error)
  const reply = failure === null ? word : { code, ...word }
  const trace = { channel: 'rest', requestId } as const
  const failed = Prisma.sql`
    UPDATE orders SET prepay_leased_until = NULL, prepay_failure = ${failure}
    WHERE out_trade_no = ${order.outTradeNo}
    RETURNING id, status AS from_status, status, created_at`
  const parts = [
    part('failed', [], failed),
    appendRepliesPart(rowsOf('failed'), { kind: 'prepay_failed', trace, reply }),
  ] as const
  return execute(pool, statement({ name: 'fail-prepay', parts }))
}

type Prepared = {
  outTradeNo: string
  prepayId: string
  requestId: string
  platformRequestId: string | null
  /** Whether the question that was planned when the order was opened is the one after this prepay. */
  isPlanned: boolean
}

/** The move that a prepay makes: the payer may be asked, and the platform is asked soon. */
export function prepareStatement({ outTradeNo, prepayId, isPlanned, ...reply }: Prepared) {
  const changes = Prisma.sql`
      prepay_id = ${prepayId}, prepay_expires_at = business_now() + interval '2 hours', prepay_leased_until = NULL, prepay_failure = NULL`
  const trace = { channel: 'rest', requestId: reply.requestId } as const
  const detail = Prisma.sql`jsonb_build_object('platform_request_id', ${reply.platformRequestId}::text)`
  return statement({
    name: `move-order-prepare${isPlanned ? '' : '-and-ask'}`,
    parts: [
      ...moveOrderParts(outTradeNo, 'prepare', changes),
      appendEventsPart(rowsOf('moved'), { kind: 'prepare', trace, detail }),
      ...(isPlanned ? [] : [scheduleJobPart('follow_up', rowsOf('moved'), sweepSoon)]),
    ],
    select: reading(['moved'], Prisma.sql`SELECT id FROM moved`),
    rows: { id: column.bigint },
  })
}

async function keepPrepay(pool: Pool, prepared: Prepared): Promise<boolean> {
  const [moved] = await execute(pool, prepareStatement(prepared))
  if (moved) measureMove('prepare', 'jsapi', prepared.outTradeNo)
  return moved !== undefined
}

type Asking = Purchase & {
  /** When the purchase that opened the order began, by performance.now(); null for a repeat. */
  openedMs: number | null
}

/**
 * Asks the platform for a prepay, outside any transaction, and moves the order. The caller holds the lease.
 * Answers null when the order was paid or closed meanwhile.
 * @throws DomainError payment_platform_error or payment_platform_timeout; the order stays as it was
 */
export async function obtainPrepay(
  pool: Pool,
  payments: Payments,
  { order, requestId, openedMs }: Asking,
): Promise<string | null> {
  const { outTradeNo, planName, amountFen, payerOpenid, expiresAt } = order
  try {
    const { prepayId, requestId: platformRequestId } = await payments.prepay({
      outTradeNo,
      description: planName,
      amountFen,
      payerOpenid,
      expiresAt,
    })
    const isPlanned = openedMs !== null && performance.now() - openedMs <= quickPrepayMs
    const prepared = { outTradeNo, prepayId, requestId, platformRequestId, isPlanned }
    return (await keepPrepay(pool, prepared)) ? prepayId : null
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const failure = platformFailure(error)
    await failLease(pool, { order, requestId }, { error, failure })
    throw new DomainError(failure, { outTradeNo, cause: error })
  }
}
