import { Prisma } from '@meridian/db'
import { approvalObstacleSql } from '../approvals/eligibility.ts'
import { settingSql } from '../settings/read-settings.ts'
import { allReservedSql } from './refund-target.ts'

const { sql } = Prisma

/**
 * Why this operator may not decide which end of the refund `r` of the order `o` holds, as an expression; null when
 * nothing is in the way. Where the refunds of the order exceed the threshold it takes a second person, as the refund
 * itself did: somebody else than who asked for it (SPEC §4, §20).
 */
export const contradictionObstacleSql = (operatorId: string): Prisma.Sql => sql`
  CASE WHEN r.contradicted_by IS NOT NULL AND r.contradiction_decided_at IS NULL
    AND ${allReservedSql} + CASE WHEN r.held OR r.status NOT IN ('closed', 'rejected') THEN 0 ELSE r.amount_fen END
      > (${settingSql('refund_approval_threshold_fen')})::int
  THEN ${approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`r.requested_by`,
    askedAt: sql`r.contradicted_at`,
  })} END`
