import { GrantRequest } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { approvalObstacleSql } from '../approvals/eligibility.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const grantRequestColumns = columnsOf(GrantRequest)

const obstacleFor = (operatorId: string) =>
  approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`g.requested_by`,
    askedAt: sql`g.created_at`,
  })

/**
 * Requests for days that one person may not give alone: of one user all of them, newest first; without a user those
 * that wait, oldest first, fifty at most.
 */
export const listGrantRequests = (
  pool: Pool,
  { userId, operatorId }: { userId?: string; operatorId: string },
): Promise<GrantRequest[]> =>
  execute(
    pool,
    query(
      userId ? 'list-requests-of-user' : 'list-open-requests',
      sql`
      SELECT g.id::text AS id, g.user_id AS "userId", g.days, g.reason, g.state, a.email AS "requestedBy",
        g.requested_by = ${operatorId}::uuid AS "isOwn",
        CASE WHEN g.state = 'requested' THEN ${obstacleFor(operatorId)} END AS obstacle, d.email AS "decidedBy", g.created_at AS "createdAt",
        g.decided_at AS "decidedAt"
      FROM grant_requests g JOIN operators a ON a.id = g.requested_by LEFT JOIN operators d ON d.id = g.decided_by
      WHERE ${userId ? sql`g.user_id = ${userId}::uuid ORDER BY g.id DESC` : sql`g.state = 'requested' ORDER BY g.id`}
      LIMIT 50`,
      grantRequestColumns,
    ),
  )
