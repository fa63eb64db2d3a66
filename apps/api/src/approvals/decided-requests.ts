import { Prisma } from '@meridian/db'

const { sql } = Prisma

/**
 * The end of the request that `name` (`refund.12`) names, as a relation of one row at most under the names of a waiting
 * one, with `decided_at` and `outcome` beside: no row while it waits.
 */
export const decidedRequestSql = (name: Prisma.Sql): Prisma.Sql => {
  const [kind, id] = [sql`split_part(${name}, '.', 1)`, sql`split_part(${name}, '.', 2)::bigint`]
  return sql`(
    SELECT r.kind, r.subject, r.after, r.requested_by, r.requested_at, r.decided_at, r.state::text AS outcome
    FROM approval_requests r WHERE r.kind = ${kind} AND r.id = ${id} AND r.state <> 'requested'
    UNION ALL
    SELECT 'refund', r.out_refund_no, jsonb_build_object('amountFen', r.amount_fen), r.requested_by, r.created_at,
      r.decided_at, CASE r.status WHEN 'rejected' THEN 'rejected' ELSE 'approved' END
    FROM refunds r WHERE ${kind} = 'refund' AND r.id = ${id} AND r.status <> 'requested'
    UNION ALL
    SELECT 'grant', g.user_id::text, jsonb_build_object('days', g.days), g.requested_by, g.created_at, g.decided_at, g.state::text
    FROM grant_requests g WHERE ${kind} = 'grant' AND g.id = ${id} AND g.state <> 'requested')`
}
