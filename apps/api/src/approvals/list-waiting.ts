import {
  type ApprovalKind,
  type ApprovalListQuery,
  ApprovalRow,
  NamedApproval,
  type RowCount,
  type TwoWayPage,
  WaitingApproval,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { instantColumn, textColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { payerOfRefundSql } from '../platform/sql/payer-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { approvalObstacleSql } from './eligibility.ts'

const { sql } = Prisma

const waitingApprovalColumns = columnsOf(WaitingApproval)
const namedApprovalColumns = columnsOf(NamedApproval)

const shownAtMost = 200

type Look = { operatorId: string; kind: ApprovalKind; subject?: string }

/** What is asked for; of a price also what its plan is called now, since its subject is only the plan's code. */
const namedAfterSql = sql`coalesce(
  (SELECT after || jsonb_build_object('planName', p.name, 'planNameEn', p.name_en) FROM plans p WHERE kind = 'plan' AND p.code = subject),
  after)`

/** Everything that waits, from the three tables that keep it, under the names of a request. */
const everythingSql = sql`
  SELECT id, kind, subject, before, ${namedAfterSql} AS after, requested_by, requested_at, due_at FROM approval_requests WHERE state = 'requested'
  UNION ALL
  SELECT id, 'refund', out_refund_no, 'null', jsonb_build_object('amountFen', amount_fen), requested_by, created_at, NULL
  FROM refunds WHERE status = 'requested'
  UNION ALL
  SELECT id, 'grant', user_id::text, 'null', jsonb_build_object('days', days, 'reason', reason), requested_by, created_at, NULL
  FROM grant_requests WHERE state = 'requested'`

/** Everything that waits for a second person, as a relation. */
export const waitingApprovalsSql = sql`(${everythingSql}) waiting`

const keptSql = ({ kind, subject }: Look): Prisma.Sql => sql`
  SELECT * FROM approval_requests WHERE state = 'requested' AND kind = ${kind}
    AND subject = coalesce(${subject ?? null}::text, subject)`

const columnsSql = (operatorId: string): Prisma.Sql => {
  const approver = sql`${operatorId}::uuid`
  const obstacle = approvalObstacleSql({
    approver,
    requester: sql`r.requested_by`,
    askedAt: sql`r.requested_at`,
  })
  return sql`
    r.id::text AS id, r.kind, r.subject, r.before, r.after, o.email AS "requestedBy",
    r.requested_at AS "requestedAt", r.due_at AS "dueAt", r.requested_by = ${approver} AS "isOwn", ${obstacle} AS obstacle`
}

/** What waits for a second person, oldest first, for the operator who looks: of one kind. */
export const listWaiting = (pool: Pool, look: Look): Promise<WaitingApproval[]> =>
  execute(
    pool,
    query(
      'list-waiting-of-kind',
      sql`
      SELECT ${columnsSql(look.operatorId)}
      FROM (${keptSql(look)}) r JOIN operators o ON o.id = r.requested_by
      ORDER BY r.requested_at, r.id LIMIT ${shownAtMost}`,
      waitingApprovalColumns,
    ),
  )

/** Whom what waits concerns, as an expression of its kind and subject; of a price, a setting and a program, nobody. */
export const customerOfApprovalSql = (kind: Prisma.Sql, subject: Prisma.Sql): Prisma.Sql => sql`CASE
  WHEN ${kind} IN ('refund', 'refund_stop') THEN ${payerOfRefundSql(subject)}
  WHEN ${kind} = 'grant' THEN ${subject}::uuid END`

/** Everything that waits for a second person, oldest first, for the operator who looks, with whom it concerns. */
export function listAllWaiting(
  pool: Pool,
  { operatorId, names }: { operatorId: string; names: NameView },
): Promise<NamedApproval[]> {
  const customer = customerOfApprovalSql(sql`r.kind`, sql`r.subject`)
  return execute(
    pool,
    query(
      'list-waiting',
      sql`
      SELECT ${columnsSql(operatorId)}, ${customer} AS "userId", ${nicknameOfSql(customer, names)} AS customer
      FROM (${everythingSql}) r JOIN operators o ON o.id = r.requested_by
      ORDER BY r.requested_at, r.id LIMIT ${shownAtMost}`,
      namedApprovalColumns,
    ),
  )
}

const oldest = {
  key: instantColumn(sql`waiting.requested_at`),
  id: textColumn(sql`(waiting.kind || ' ' || waiting.id) COLLATE "C"`, z.string().max(96)),
  descending: false,
}

/** How much of it there is: exact up to 10,000. */
export const countApprovals = (pool: Pool): Promise<RowCount> => countRows(pool, waitingApprovalsSql)

/** All of it, page after page, for nobody in particular. */
export const listApprovals = (pool: Pool, asked: ApprovalListQuery): Promise<TwoWayPage<ApprovalRow>> =>
  readPage(
    pool,
    { sort: oldest, asked, columns: columnsOf(ApprovalRow) },
    ({ position, page }) => sql`
      SELECT waiting.id::text AS id, waiting.kind, waiting.subject, waiting.before, waiting.after,
        (SELECT email FROM operators o WHERE o.id = waiting.requested_by) AS "requestedBy",
        waiting.requested_at AS "requestedAt", waiting.due_at AS "dueAt", ${position}
      FROM ${waitingApprovalsSql} WHERE ${page}`,
  )
