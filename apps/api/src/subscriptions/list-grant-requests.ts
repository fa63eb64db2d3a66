import {
  GrantRequest,
  type GrantRequestFilter,
  type GrantRequestListQuery,
  GrantRequestRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { approvalObstacleSql } from '../approvals/eligibility.ts'
import { serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql } from '../platform/sql/conditions.ts'

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

const conditions = ({ state, userId }: GrantRequestFilter): Prisma.Sql =>
  allOfSql(state && sql`g.state = ${state}::grant_request_state`, userId && sql`g.user_id = ${userId}::uuid`)

const byNumber = serialColumn(sql`g.id`)

/** Requests in the order they were made, page after page, for nobody in particular. */
export const listGrantRequestRows = (
  pool: Pool,
  asked: GrantRequestListQuery,
): Promise<TwoWayPage<GrantRequestRow>> =>
  readPage(
    pool,
    { sort: { key: byNumber, id: byNumber, descending: false }, asked, columns: columnsOf(GrantRequestRow) },
    ({ position, page }) => sql`
      SELECT g.id::text AS id, g.user_id AS "userId", g.days, g.reason, g.state,
        (SELECT email FROM operators o WHERE o.id = g.requested_by) AS "requestedBy",
        (SELECT email FROM operators o WHERE o.id = g.decided_by) AS "decidedBy", g.created_at AS "createdAt",
        g.decided_at AS "decidedAt", ${position}
      FROM grant_requests g WHERE ${conditions(asked)} AND ${page}`,
  )

/** How many requests the filters leave. */
export const countGrantRequests = (pool: Pool, filter: GrantRequestFilter): Promise<RowCount> =>
  countRows(pool, sql`grant_requests g WHERE ${conditions(filter)}`)
