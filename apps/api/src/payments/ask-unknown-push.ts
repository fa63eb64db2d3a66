import { type Connection, execute, oneOf, type Pool, Prisma, query, reading, statement } from '@meridian/db'
import { z } from 'zod'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { enqueueJobPart, type Jobs, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { findUnknownPush } from '../notifications/read-inbox.ts'
import {
  endAsProbe,
  recordNotificationParts,
  type VerifiedDelivery,
} from '../notifications/record-notification.ts'
import type { Services } from '../services.ts'

const { sql } = Prisma

/** What an earlier delivery may have come to before: a number can be issued here, or found to be nobody's. */
const verdicts = [
  'order_unknown',
  'ignored',
  'applied',
  'already_paid',
  'mismatch',
  'second_transaction',
] as const
export type PushVerdict = (typeof verdicts)[number]

export const unknownPushStatement = (delivery: VerifiedDelivery, number: string) => {
  const asking = {
    job: 'ask_unknown_push',
    payload: jobPayloadSql('ask_unknown_push', { notificationId: sql`id` }),
    key: jobKeySql('ask_unknown_push', sql`id`),
  } as const
  return statement({
    name: 'record-unknown-push',
    parts: [
      ...recordNotificationParts({
        delivery,
        outTradeNo: number,
        outcome: reading([], sql`'order_unknown'`),
      }),
      enqueueJobPart('asking', reading(['inbox'], sql`inbox WHERE outcome = 'order_unknown'`), asking),
    ],
    select: reading(['inbox'], sql`SELECT outcome FROM inbox`),
    rows: { outcome: oneOf(verdicts) },
  })
}

/**
 * A push about a number that we never issued (virtual payment §4.8): refused until somebody has asked the platform what
 * it is. Answers `ignored` once the platform was found not to know it either.
 */
export async function recordUnknownPush(
  db: Connection,
  delivery: VerifiedDelivery,
  number: string,
): Promise<PushVerdict> {
  const [row] = await execute(db, unknownPushStatement(delivery, number))
  return row?.outcome ?? 'order_unknown'
}

const Payer = z.object({ OpenId: z.string().min(1) })

/** Money that was taken for a number of somebody else, or of a database that was restored from an older copy. */
const raiseKnownNumber = (pool: Pool, number: string, notification: string) =>
  execute(pool, query('raise-alert', raiseAlertSql('order_unknown', number, { notification, known: true })))

/**
 * Asks the platform what a pushed number is that we never issued. Unknown there too: a probe, which the next delivery is
 * told is done. Known there: it stays refused, since success would mark somebody's paid order as delivered, and somebody
 * is told.
 * @throws MiniProgramError where it cannot be asked; the job comes again
 */
export async function askUnknownPush(
  { database: { pool }, virtual }: Services,
  { notificationId }: Jobs['ask_unknown_push'],
): Promise<void> {
  const push = await findUnknownPush(pool, notificationId)
  const payer = Payer.safeParse(push?.payload).data?.OpenId
  if (!push || !payer || !virtual) return
  const answer = await virtual.queryAttempt(push.number, payer)
  if (answer.state === 'no_such_order') await endAsProbe(pool, notificationId)
  else await raiseKnownNumber(pool, push.number, notificationId)
}
