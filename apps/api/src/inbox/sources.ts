import {
  AssignableKind,
  approvalPermissions,
  type InboxKind,
  type InboxReference,
  type InboxUrgency,
  inboxUrgencies,
} from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { criticalAlertSql } from '../alerts/list-alerts.ts'
import { waitingApprovalsSql } from '../approvals/list-waiting.ts'
import { unseenMentionsSql } from '../notes/note-mentions.ts'
import { isParkedSql } from '../orders/park-order.ts'
import { stuckRefundsSql } from '../refunds/list-stuck.ts'

const { sql } = Prisma

/** An urgency as it is sorted by: the most urgent is 0. */
const rank = (urgency: InboxUrgency): Prisma.Sql => Prisma.raw(String(inboxUrgencies.indexOf(urgency)))

const permissionOfApprovalSql = sql`(${JSON.stringify(approvalPermissions)}::jsonb ->> waiting.kind)`

/** Paid for and not delivered, or the other way round. Its customer has waited since the payment. */
const parkedSql = sql`
  SELECT o.out_trade_no AS id, o.park_reason AS topic, o.out_trade_no AS subject, o.amount_fen,
    CASE WHEN o.paid_at IS NULL THEN ${rank('normal')} ELSE ${rank('urgent')} END AS urgency,
    coalesce(o.paid_at, o.created_at) AS since, NULL::timestamptz AS due_at, NULL::uuid AS owner_id,
    CASE WHEN o.park_reason = 'late_payment' THEN 'order.decide_late' ELSE 'order.decide' END AS permission,
    NULL::uuid AS requested_by, 'null'::jsonb AS before, 'null'::jsonb AS after, o.park_reason AS version
  FROM orders o WHERE ${isParkedSql({ left: false })}`

const approvalsSql = sql`
  SELECT waiting.kind || '.' || waiting.id AS id, waiting.kind AS topic, waiting.subject,
    (waiting.after ->> 'amountFen')::int AS amount_fen, ${rank('normal')} AS urgency,
    waiting.requested_at AS since, waiting.due_at, NULL::uuid AS owner_id, ${permissionOfApprovalSql} AS permission,
    waiting.requested_by, waiting.before, waiting.after, '' AS version
  FROM ${waitingApprovalsSql}`

const refundsSql = sql`
  SELECT stuck.out_refund_no AS id, stuck.topic, stuck.out_refund_no AS subject, stuck.amount_fen,
    CASE WHEN stuck.topic IN ('abnormal', 'contradicted') THEN ${rank('urgent')} ELSE ${rank('normal')} END AS urgency,
    stuck.since, NULL::timestamptz AS due_at, NULL::uuid AS owner_id,
    CASE stuck.topic WHEN 'contradicted' THEN 'refund.approve' ELSE 'refund.retry' END AS permission,
    NULL::uuid AS requested_by, 'null'::jsonb AS before, 'null'::jsonb AS after,
    stuck.topic || ' ' || coalesce(stuck.failure, '') AS version
  FROM ${stuckRefundsSql} stuck`

/** An alert that only says that something waits which stands in the queue by itself would stand there twice. */
const isToldAlreadySql = sql`CASE
  WHEN alerts.kind = 'order_parked' THEN EXISTS (
    SELECT 1 FROM orders o WHERE o.out_trade_no = alerts.subject AND ${isParkedSql({ left: false })})
  WHEN alerts.kind IN ('refund_abnormal', 'refund_stuck', 'refund_closed', 'refund_contradicted') THEN EXISTS (
    SELECT 1 FROM ${stuckRefundsSql} stuck WHERE stuck.out_refund_no = alerts.subject)
  WHEN alerts.kind = 'bill_differences' THEN EXISTS (
    SELECT 1 FROM reconciliation_differences d WHERE d.state = 'open' AND d.date::text = alerts.subject)
  ELSE FALSE END`

/** What an alert is about, as it is told: of an operator their address, else as it is kept. */
const toldSubjectSql = sql`CASE WHEN alerts.kind = 'factor_changed'
  THEN coalesce((SELECT email FROM operators WHERE operators.id::text = alerts.subject), alerts.subject)
  ELSE alerts.subject END`

const alertsSql = sql`
  SELECT alerts.id::text AS id, alerts.kind AS topic, ${toldSubjectSql} AS subject,
    NULL::int AS amount_fen,
    CASE WHEN ${criticalAlertSql} THEN ${rank('urgent')} ELSE ${rank('normal')} END AS urgency,
    alerts.opened_at AS since, NULL::timestamptz AS due_at, alerts.owner_id, 'alert.resolve' AS permission,
    NULL::uuid AS requested_by, 'null'::jsonb AS before, 'null'::jsonb AS after, alerts.times::text AS version
  FROM alerts WHERE alerts.resolved_at IS NULL AND NOT ${isToldAlreadySql}`

const differencesSql = sql`
  SELECT d.id::text AS id, d.kind::text AS topic, coalesce(d.out_trade_no, d.out_refund_no, d.subject) AS subject,
    coalesce(d.theirs ->> 'amount_fen', d.ours ->> 'amount_fen')::int AS amount_fen, ${rank('low')} AS urgency,
    d.found_at AS since, NULL::timestamptz AS due_at, d.owner_id, 'reconciliation.resolve' AS permission,
    NULL::uuid AS requested_by, 'null'::jsonb AS before, 'null'::jsonb AS after,
    d.bill_gap_fen || ' ' || d.ledger_gap_fen AS version
  FROM reconciliation_differences d WHERE d.state = 'open'`

/** Notes that name the reader: nobody else's, and of no permission. */
const mentionsSql = (readerId: string): Prisma.Sql => sql`
  SELECT u.note_id::text AS id, u.subject_kind AS topic, u.subject_id AS subject, NULL::int AS amount_fen,
    ${rank('normal')} AS urgency, u.at AS since, NULL::timestamptz AS due_at, ${readerId}::uuid AS owner_id,
    NULL AS permission, NULL::uuid AS requested_by, 'null'::jsonb AS before,
    jsonb_build_object('author', u.author, 'text', u.beginning) AS after, '' AS version
  FROM ${unseenMentionsSql(readerId)} u`

/**
 * Where everything is kept that waits for somebody: one line for each source, a query of its open rows that a partial
 * index finds. `owner_id` is who looks after it where the source says so itself; `version` changes when the thing does.
 */
const sources: Readonly<Record<AssignableKind, Prisma.Sql>> = {
  approval: approvalsSql,
  order: parkedSql,
  refund: refundsSql,
  alert: alertsSql,
  difference: differencesSql,
}

/** What of it is wanted: one thing alone; what waits for this reader in particular as well. */
export type Wanted = { only?: InboxReference; readerId?: string }

/** Everything that waits, or one thing of it, as a relation under the names of the sources. */
export const waitingSql = ({ only, readerId }: Wanted): Prisma.Sql => {
  const branch = (kind: InboxKind, rows: Prisma.Sql) =>
    sql`SELECT ${kind}::text AS kind, source.* FROM (${rows}) source`
  if (only) return sql`(${branch(only.kind, sources[only.kind])} WHERE source.id = ${only.id})`
  const branches = AssignableKind.options.map((kind) => branch(kind, sources[kind]))
  if (readerId !== undefined) branches.push(branch('mention', mentionsSql(readerId)))
  return sql`(${Prisma.join(branches, ' UNION ALL ')})`
}
