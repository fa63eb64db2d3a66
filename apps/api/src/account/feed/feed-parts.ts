import type { FeedKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { type NoteReader, noteTextSql, operatorNameSql } from '../../notes/list-notes.ts'

const { sql } = Prisma

/** One source of the feed: rows `at`, `key`, `item` of one user, each key of a kind of its own. */
export type FeedPart = {
  kind: FeedKind
  /** Whether only who may read reports, or the audit log of everybody, sees it. */
  needs?: 'report.read' | 'audit.everybody'
  rows: (userId: string, reader: NoteReader) => Prisma.Sql
}

/** A key that sorts as text, byte by byte, the way its numbers do; its first letter tells the sources apart. */
const numbered = (letter: string, id: Prisma.Sql) =>
  sql`(${letter} || lpad(${id}::text, 20, '0')) COLLATE "C" AS key`
const lettered = (letter: string, id: Prisma.Sql) => sql`(${letter} || ${id}::text) COLLATE "C" AS key`

/**
 * What of an order's timeline its customer's feed leaves out: steps of a payment that lead to another line, and what the
 * programs asked by themselves.
 */
const untoldEvents = [
  ...['prepare', 'attempt', 'prepay_failed', 'close_failed', 'sheet_error'],
  ...['delivered', 'shipping_uploaded', 'refund_processing'],
]

/**
 * The timeline has no index by user, because each would cost every payment: the orders are found by theirs, and of each
 * the lines by that of the order. OFFSET 0 keeps it so whatever the planner believes.
 */
const money: FeedPart = {
  kind: 'money',
  rows: (userId) => sql`
    SELECT e.at, ${numbered('m', sql`e.id`)},
      json_build_object('kind', 'money', 'event', e.kind, 'outTradeNo', o.out_trade_no, 'planName', o.plan_name,
        'amountFen', coalesce((e.detail ->> 'amount_fen')::int, o.amount_fen), 'channel', e.channel,
        'by', ${operatorNameSql(sql`e.operator_id`)}, 'outRefundNo', e.detail ->> 'out_refund_no') AS item
    FROM orders o CROSS JOIN LATERAL (
      SELECT * FROM order_events e WHERE e.order_id = o.id AND e.kind <> ALL(${untoldEvents}::text[])
        AND (e.kind <> 'ask' OR e.operator_id IS NOT NULL) OFFSET 0) e
    WHERE o.user_id = ${userId}::uuid`,
}

/** The ledger is read by its own order, which is that of time but for transactions that overlap. */
const access: FeedPart = {
  kind: 'access',
  rows: (userId) => sql`
    SELECT g.created_at AS at, ${numbered('g', sql`g.id`)},
      json_build_object('kind', 'access', 'grant', g.kind, 'days', g.days,
        'outTradeNo', (SELECT o.out_trade_no FROM orders o WHERE o.id = g.order_id),
        'outRefundNo', (SELECT r.out_refund_no FROM refunds r WHERE r.id = g.refund_id),
        'serialNumber', g.serial_number, 'reason', g.reason, 'by', ${operatorNameSql(sql`g.operator_id`)}) AS item
    FROM grants g WHERE g.user_id = ${userId}::uuid`,
}

const bound: FeedPart = {
  kind: 'devices',
  rows: (userId) => sql`
    SELECT b.bound_at AS at, ${numbered('b', sql`b.id`)},
      json_build_object('kind', 'devices', 'serialNumber', b.serial_number, 'ended', NULL) AS item
    FROM bindings b WHERE b.user_id = ${userId}::uuid`,
}

const unbound: FeedPart = {
  kind: 'devices',
  rows: (userId) => sql`
    SELECT b.unbound_at AS at, ${numbered('u', sql`b.id`)},
      json_build_object('kind', 'devices', 'serialNumber', b.serial_number, 'ended', coalesce(b.end_reason, 'unbound')) AS item
    FROM bindings b WHERE b.user_id = ${userId}::uuid AND b.unbound_at IS NOT NULL`,
}

const reports: FeedPart = {
  kind: 'reports',
  needs: 'report.read',
  rows: (userId) => sql`
    SELECT p.started_at AS at, ${lettered('r', sql`p.id`)},
      json_build_object('kind', 'reports', 'reportId', p.id, 'report', p.kind) AS item
    FROM reports p WHERE p.user_id = ${userId}::uuid`,
}

const messages: FeedPart = {
  kind: 'messages',
  rows: (userId) => sql`
    SELECT a.at, ${numbered('e', sql`a.id`)},
      json_build_object('kind', 'messages', 'message', a.kind, 'failure', a.failure) AS item
    FROM message_attempts a WHERE a.user_id = ${userId}::uuid`,
}

const sessions: FeedPart = {
  kind: 'sessions',
  rows: (userId) => sql`
    SELECT f.created_at AS at, ${lettered('s', sql`f.id`)}, json_build_object('kind', 'sessions') AS item
    FROM token_families f WHERE f.user_id = ${userId}::uuid`,
}

const notes: FeedPart = {
  kind: 'notes',
  rows: (userId, reader) => sql`
    SELECT n.created_at AS at, ${numbered('n', sql`n.id`)},
      json_build_object('kind', 'notes', 'subject', json_build_object('kind', n.subject_kind, 'id', n.subject_id),
        'text', ${noteTextSql(reader)}, 'isWithdrawn', w.id IS NOT NULL, 'by', ${operatorNameSql(sql`n.operator_id`)},
        'mentions', ARRAY(SELECT m.name FROM note_mentions m WHERE m.note_id = n.id ORDER BY 1)) AS item
    FROM notes n LEFT JOIN note_withdrawals w ON w.note_id = n.id WHERE n.user_id = ${userId}::uuid`,
}

const actsOnUser = (actions: readonly string[], needs?: FeedPart['needs']): FeedPart => ({
  kind: 'account',
  ...(needs && { needs }),
  rows: (userId) => sql`
    SELECT a.at, ${numbered('a', sql`a.id`)},
      json_build_object('kind', 'account', 'action', a.action, 'reason', a.after ->> 'reason',
        'by', ${operatorNameSql(sql`a.operator_id`)}) AS item
    FROM audit_entries a
    WHERE a.subject_id = ${userId} AND a.subject_type IN ('user', 'subscription') AND a.action = ANY(${actions}::text[])`,
})

/** What the customer notices; that somebody looked at who they are is for whom the whole audit log is. */
const acts = actsOnUser(['user.disable', 'user.enable', 'user.end_sessions', 'subscription.request_grant'])
const looks = actsOnUser(['user.reveal'], 'audit.everybody')

export const feedParts: readonly FeedPart[] = [
  money,
  access,
  bound,
  unbound,
  reports,
  messages,
  sessions,
  notes,
  acts,
  looks,
]
