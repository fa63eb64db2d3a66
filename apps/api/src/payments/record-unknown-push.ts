import { type Connection, execute, oneOf, Prisma, reading, statement } from '@meridian/db'
import { enqueueJobPart, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { recordNotificationParts, type VerifiedDelivery } from '../notifications/record-notification.ts'

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
