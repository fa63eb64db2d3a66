import { execute, type Pool, query } from '@meridian/db'
import { z } from 'zod'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import type { Jobs } from '../jobs/job-table.ts'
import { findUnknownPush } from '../notifications/read-inbox.ts'
import { endAsProbe } from '../notifications/record-notification.ts'
import type { Services } from '../services.ts'

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
