import { type Pool, type Prisma, run } from '@meridian/db'
import { forgottenAlerts, forgottenMessages } from '../alerts/purge-alerts.ts'
import { forgottenChallenges } from '../devices/purge-challenges.ts'
import {
  forgottenCounts,
  forgottenNotifications,
  forgottenRejections,
} from '../notifications/purge-notifications.ts'
import { forgottenSessions } from '../operators/purge-sessions.ts'
import { expiredSignInFailuresSql } from '../operators/trace-sign-in.ts'
import { forgottenBillFlows, forgottenBillRows } from '../reconciliation/purge-rows.ts'
import { purgedMessageAttemptsSql } from '../subscriptions/list-messages.ts'
import { forgottenSignIns } from '../users/purge-sign-ins.ts'

/** What has a time to be kept, each forgotten by its owner. Ledger, timeline and audit log have none. */
const kinds: Readonly<Record<string, (limit: number) => Prisma.Sql>> = {
  notifications: forgottenNotifications,
  rejections: forgottenRejections,
  rejection_counts: forgottenCounts,
  sign_ins: forgottenSignIns,
  sessions: forgottenSessions,
  sign_in_failures: expiredSignInFailuresSql,
  challenges: forgottenChallenges,
  message_attempts: purgedMessageAttemptsSql,
  bill_rows: forgottenBillRows,
  bill_flows: forgottenBillFlows,
  alert_messages: forgottenMessages,
  alerts: forgottenAlerts,
}

type Bounds = { batch?: number; batches?: number }

/**
 * Forgets what has been kept long enough, in batches that lock little and end soon; what is left waits for tomorrow.
 * Answers how many rows of each kind went.
 */
export async function forgetOld(
  pool: Pool,
  { batch = 1000, batches = 500 }: Bounds = {},
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const [kind, statement] of Object.entries(kinds)) {
    let count = 0
    for (let turn = 0; turn < batches; turn++) {
      const rows = await run(pool, `forget-${kind}`, statement(batch))
      count += rows.length
      if (rows.length < batch) break
    }
    gone[kind] = count
  }
  return gone
}
