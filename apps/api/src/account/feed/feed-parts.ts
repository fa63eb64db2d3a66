import type { FeedKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { type NoteReader, noteTextSql, operatorNameSql } from '../../notes/list-notes.ts'

const { sql } = Prisma

/** One source of the feed. */
export type FeedPart = {
  kind: FeedKind
  /** Tells its rows from those of all others in the feed. */
  letter: string
  idType: 'bigint' | 'uuid'
  /** Whether only who may read reports, or the audit log of everybody, sees it. */
  needs?: 'report.read' | 'audit.everybody'
  /** All rows of one user, with their `at` and `id`: of these a page is taken before more is made of it. */
  rows: (userId: string) => Prisma.Sql
  /** What the feed says of a row `r`: pairs for an object. */
  says: (reader: NoteReader) => Prisma.Sql
}

const orderColumns = sql`o.out_trade_no, o.plan_name, o.amount_fen`
const orderSql = sql`'outTradeNo', r.out_trade_no, 'planName', r.plan_name`

const ordered: FeedPart = {
  kind: 'money',
  letter: 'o',
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT o.created_at AS at, o.id, ${orderColumns} FROM orders o WHERE o.user_id = ${userId}::uuid`,
  says: () =>
    sql`'event', 'create', ${orderSql}, 'amountFen', r.amount_fen, 'channel', 'rest', 'by', NULL, 'outRefundNo', NULL`,
}

/** An order is paid once, and its row says when that became known, and by which way. */
const paid: FeedPart = {
  kind: 'money',
  letter: 'p',
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT o.confirmed_at AS at, o.id, o.confirmed_by, ${orderColumns}
    FROM orders o WHERE o.user_id = ${userId}::uuid AND o.confirmed_at IS NOT NULL`,
  says: () =>
    sql`'event', 'pay', ${orderSql}, 'amountFen', r.amount_fen, 'channel', r.confirmed_by, 'by', NULL, 'outRefundNo', NULL`,
}

/**
 * What else is told of a timeline. Steps of a payment, and what programs asked by themselves, are not; by these words, the
 * same as those of the index `order_events_told`, PostgreSQL finds it.
 */
const isToldSql = Prisma.raw(`
  e.kind NOT IN ('create', 'prepare', 'attempt', 'pay', 'prepay_failed', 'close_failed', 'sheet_error', 'delivered',
    'shipping_uploaded', 'refund_processing') AND (e.kind <> 'ask' OR e.operator_id IS NOT NULL)`)

/**
 * A timeline has no index by user, because that would cost every payment: the orders are found by theirs, and of each the
 * lines by that of the order. OFFSET 0 keeps it so whatever the planner believes.
 */
const timeline: FeedPart = {
  kind: 'money',
  letter: 'm',
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT e.*, ${orderColumns} FROM orders o CROSS JOIN LATERAL (
      SELECT e.at, e.id, e.kind, e.channel, e.operator_id, e.detail
      FROM order_events e WHERE e.order_id = o.id AND ${isToldSql} OFFSET 0) e
    WHERE o.user_id = ${userId}::uuid`,
  says: () => sql`
    'event', r.kind, ${orderSql}, 'amountFen', coalesce((r.detail ->> 'amount_fen')::int, r.amount_fen), 'channel', r.channel,
    'by', ${operatorNameSql(sql`r.operator_id`)}, 'outRefundNo', r.detail ->> 'out_refund_no'`,
}

/** The name of the key by which another system gave the days of a grant `r`. */
const apiKeyNameSql = sql`(
  SELECT k.name FROM integration_grants i JOIN api_keys k ON k.id = i.api_key_id WHERE i.user_id = r.user_id AND i.seq = r.seq)`

/** The ledger has no index by time either: all of a user's grants are looked at. */
const access: FeedPart = {
  kind: 'access',
  letter: 'g',
  idType: 'bigint',
  rows: (userId) => sql`SELECT g.created_at AS at, g.* FROM grants g WHERE g.user_id = ${userId}::uuid`,
  says: () => sql`
    'grant', r.kind, 'days', r.days, 'outTradeNo', (SELECT o.out_trade_no FROM orders o WHERE o.id = r.order_id),
    'outRefundNo', (SELECT f.out_refund_no FROM refunds f WHERE f.id = r.refund_id), 'serialNumber', r.serial_number,
    'reason', r.reason, 'by', coalesce(${operatorNameSql(sql`r.operator_id`)}, ${apiKeyNameSql})`,
}

const bound: FeedPart = {
  kind: 'devices',
  letter: 'b',
  idType: 'bigint',
  rows: (userId) =>
    sql`SELECT b.bound_at AS at, b.id, b.serial_number FROM bindings b WHERE b.user_id = ${userId}::uuid`,
  says: () => sql`'serialNumber', r.serial_number, 'ended', NULL`,
}

const unbound: FeedPart = {
  kind: 'devices',
  letter: 'u',
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT b.unbound_at AS at, b.id, b.serial_number, b.end_reason
    FROM bindings b WHERE b.user_id = ${userId}::uuid AND b.unbound_at IS NOT NULL`,
  says: () => sql`'serialNumber', r.serial_number, 'ended', coalesce(r.end_reason, 'unbound')`,
}

const reports: FeedPart = {
  kind: 'reports',
  letter: 'r',
  idType: 'uuid',
  needs: 'report.read',
  rows: (userId) =>
    sql`SELECT p.started_at AS at, p.id, p.kind FROM reports p WHERE p.user_id = ${userId}::uuid`,
  says: () => sql`'reportId', r.id, 'report', r.kind`,
}

const messages: FeedPart = {
  kind: 'messages',
  letter: 'e',
  idType: 'bigint',
  rows: (userId) =>
    sql`SELECT a.at, a.id, a.kind, a.failure FROM message_attempts a WHERE a.user_id = ${userId}::uuid`,
  says: () => sql`'message', r.kind, 'failure', r.failure`,
}

const sessions: FeedPart = {
  kind: 'sessions',
  letter: 's',
  idType: 'uuid',
  rows: (userId) =>
    sql`SELECT f.created_at AS at, f.id FROM token_families f WHERE f.user_id = ${userId}::uuid`,
  says: () => sql`'signedIn', true`,
}

const notes: FeedPart = {
  kind: 'notes',
  letter: 'n',
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT n.created_at AS at, n.id, n.subject_kind, n.subject_id, n.operator_id FROM notes n WHERE n.user_id = ${userId}::uuid`,
  says: (reader) => sql`
    'subject', json_build_object('kind', r.subject_kind, 'id', r.subject_id), 'by', ${operatorNameSql(sql`r.operator_id`)},
    'text', (SELECT ${noteTextSql(reader)} FROM notes n LEFT JOIN note_withdrawals w ON w.note_id = n.id WHERE n.id = r.id),
    'isWithdrawn', EXISTS (SELECT 1 FROM note_withdrawals w WHERE w.note_id = r.id),
    'mentions', ARRAY(SELECT m.name FROM note_mentions m WHERE m.note_id = r.id ORDER BY 1)`,
}

const actsOnUser = (letter: string, actions: readonly string[]): FeedPart => ({
  kind: 'account',
  letter,
  idType: 'bigint',
  rows: (userId) => sql`
    SELECT a.at, a.id, a.action, coalesce(a.after, a.before) AS said, a.operator_id FROM audit_entries a
    WHERE a.subject_id = ${userId} AND a.subject_type IN ('user', 'subscription') AND a.action = ANY(${actions}::text[])`,
  says: () => sql`
    'action', r.action, 'reason', coalesce(r.said ->> 'reason', r.said ->> 'tag'), 'by', ${operatorNameSql(sql`r.operator_id`)}`,
})

const acts = actsOnUser('a', [
  'user.disable',
  'user.enable',
  'user.end_sessions',
  'subscription.request_grant',
  'tag.set',
  'tag.take',
])
/** That somebody looked at who it is, is for whom the whole audit log is. */
const looks: FeedPart = { ...actsOnUser('l', ['user.reveal']), needs: 'audit.everybody' }

export const feedParts: readonly FeedPart[] = [
  ordered,
  paid,
  timeline,
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
