import type { Watch } from './condition.ts'
import { backupOld } from './conditions/backup-old.ts'
import { databaseTimelineChanged } from './conditions/database-timeline-changed.ts'
import { jobDead } from './conditions/job-dead.ts'
import { keyExpiring } from './conditions/key-expiring.ts'
import { limitsNotShared } from './conditions/limits-not-shared.ts'
import { notificationsRefused } from './conditions/notifications-refused.ts'
import { paymentsFailing } from './conditions/payments-failing.ts'
import { paymentsMissing } from './conditions/payments-missing.ts'
import { platformUnreachable } from './conditions/platform-unreachable.ts'
import { prepayFailing } from './conditions/prepay-failing.ts'
import { reconciliationMissing } from './conditions/reconciliation-missing.ts'
import { workersSilent } from './conditions/workers-silent.ts'

/** Every condition that is watched, in the order of judging: whether the platform is there is asked first. */
export const watches: readonly Watch[] = [
  platformUnreachable,
  prepayFailing,
  paymentsFailing,
  notificationsRefused,
  paymentsMissing,
  workersSilent,
  jobDead,
  databaseTimelineChanged,
  limitsNotShared,
  reconciliationMissing,
  keyExpiring,
  backupOld,
]
