import { column, execute, type Pool, Prisma, part, query, statement } from '@meridian/db'
import { endAlertPart, raiseAlertSql } from '../alerts/write-alert.ts'
import { inTransaction } from '../platform/sql/transaction.ts'

const { sql } = Prisma

/** One sending of a refund, by its number. */
export type Sending = { outRefundNo: string; number: number }

/**
 * Counts a sending before it leaves, so that nobody gives the refund up while its answer may still come. Null where
 * the refund is not to be sent any more. `leftFen` is what virtual payment is told to be left of the order, kept for
 * repeats; null where nothing of the kind is sent.
 */
export async function beginSending(
  pool: Pool,
  outRefundNo: string,
  leftFen: number | null = null,
): Promise<Sending | null> {
  const [begun] = await execute(
    pool,
    query(
      'begin-refund-sending',
      sql`
      UPDATE refunds SET sendings = sendings + 1, last_sent_at = business_now(), sent_left_fen = coalesce(${leftFen}::int, sent_left_fen)
      WHERE out_refund_no = ${outRefundNo} AND status IN ('approved', 'processing')
      RETURNING sendings AS number`,
      { number: column.number },
    ),
  )
  return begun ? { outRefundNo, number: begun.number } : null
}

/** The platform has the refund: what it refused before is over. `answered`: whether it said so to a sending. */
export async function noteKnown(pool: Pool, outRefundNo: string, { answered }: { answered: boolean }) {
  const known = sql`
      UPDATE refunds SET answers = answers + ${answered ? 1 : 0}::int,
        failure = CASE WHEN status IN ('approved', 'processing') THEN NULL ELSE failure END
      WHERE out_refund_no = ${outRefundNo} AND (${answered}::boolean OR failure IS NOT NULL)`
  const parts = [
    endAlertPart('refund_stuck', outRefundNo, 'refund_accepted'),
    part('known', [], known),
  ] as const
  await execute(pool, statement({ name: 'note-known-refund', parts }))
}

/** A sending was answered for good, and began nothing: it is to be repeated. */
export const noteAnswer = (pool: Pool, { outRefundNo }: Sending) =>
  execute(
    pool,
    query(
      'note-refund-answer',
      sql`UPDATE refunds SET answers = answers + 1 WHERE out_refund_no = ${outRefundNo}`,
    ),
  )

/** Why a sending was refused, and whether the platform itself said so: then it never arrives any more. */
export type Refusal = { order: string; failure: string; answered: boolean }

/**
 * A sending was refused: kept with the refund and shown, with an alert, where it was the newest one. An older answer
 * that comes late is only counted.
 */
export function noteRefusal(
  pool: Pool,
  { outRefundNo, number }: Sending,
  { answered, ...detail }: Refusal,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const [refund] = await execute(
      client,
      query(
        'note-refund-refusal',
        sql`
        UPDATE refunds SET answers = answers + ${answered ? 1 : 0}::int,
          failure = CASE WHEN sendings = ${number} AND status IN ('approved', 'processing') THEN ${detail.failure} ELSE failure END
        WHERE out_refund_no = ${outRefundNo}
        RETURNING sendings = ${number} AND status IN ('approved', 'processing') AS "isRefused"`,
        { isRefused: column.boolean },
      ),
    )
    if (refund?.isRefused)
      await execute(client, query('raise-alert', raiseAlertSql('refund_stuck', outRefundNo, detail)))
  })
}
