import { execute, type Pool, type Prisma, query } from '@meridian/db'
import { purgeNewsSql } from '../alerts/delivery/other-news.ts'
import { purgeAlertsSql, purgeMessagesSql } from '../alerts/write-alert.ts'
import { purgeChallengesSql } from '../devices/prove-possession.ts'
import { purgeEventsSql, purgeOutboxSql, purgeTestsSql } from '../events/purge-events.ts'
import { purgeExportsSql } from '../exports/export-jobs.ts'
import { purgeImportPiecesSql, purgeImportRowsSql, purgeImportsSql } from '../imports/purge-imports.ts'
import { purgeMarksSql } from '../inbox/look-after.ts'
import {
  purgeNotificationsSql,
  purgeRejectionCountsSql,
  purgeRejectionsSql,
} from '../notifications/forget-notifications.ts'
import { purgeSessionsSql } from '../operators/sessions.ts'
import { expiredSignInFailuresSql } from '../operators/sign-in-attempts.ts'
import { purgeBillFlowsSql, purgeBillRowsSql } from '../reconciliation/keep-rows.ts'
import { purgeMessageAttemptsSql } from '../subscriptions/messages.ts'
import { purgeSignInsSql } from '../users/log-in.ts'

/** What has a time to be kept, each forgotten by its owner. Ledger, timeline and audit log have none. */
const kinds: Readonly<Record<string, (limit: number) => Prisma.Sql>> = {
  notifications: purgeNotificationsSql,
  rejections: purgeRejectionsSql,
  rejection_counts: purgeRejectionCountsSql,
  sign_ins: purgeSignInsSql,
  sessions: purgeSessionsSql,
  sign_in_failures: expiredSignInFailuresSql,
  challenges: purgeChallengesSql,
  message_attempts: purgeMessageAttemptsSql,
  bill_rows: purgeBillRowsSql,
  bill_flows: purgeBillFlowsSql,
  alert_messages: purgeMessagesSql,
  alerts: purgeAlertsSql,
  inbox_marks: purgeMarksSql,
  news: purgeNewsSql,
  exports: purgeExportsSql,
  events: purgeEventsSql,
  webhook_tests: purgeTestsSql,
  outbox_lines: purgeOutboxSql,
  import_pieces: purgeImportPiecesSql,
  import_rows: purgeImportRowsSql,
  imports: purgeImportsSql,
}

type Bounds = { batch?: number; batches?: number }

/**
 * Forgets what has been kept long enough, in batches that lock little and end soon; what is left waits for tomorrow.
 * Answers how many rows of each kind went.
 */
export async function purgeExpired(
  pool: Pool,
  { batch = 1000, batches = 500 }: Bounds = {},
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {}
  for (const [kind, statement] of Object.entries(kinds)) {
    let count = 0
    for (let turn = 0; turn < batches; turn++) {
      const rows = await execute(pool, query(`forget-${kind}`, statement(batch)))
      count += rows.length
      if (rows.length < batch) break
    }
    gone[kind] = count
  }
  return gone
}
