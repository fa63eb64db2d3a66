import type { AccountExport } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

const { sql } = Prisma

export type Section = Exclude<
  {
    [Name in keyof AccountExport]: AccountExport[Name] extends unknown[] ? Name : never
  }[keyof AccountExport],
  never
>

type Read = {
  /** Rows of this person with a column `key` to read on from, in the words of the contract. */
  from: (userId: string) => Prisma.Sql
  /** How many are held in memory at once. */
  atOnce: number
}

const many = 200

/** A key that sorts as text the way a number does. */
const numbered = (id: Prisma.Sql) => sql`lpad(${id}::text, 20, '0')`

/** What is kept about a person in more than one row, table by table. */
export const sections: Readonly<Record<Section, Read>> = {
  grants: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${numbered(sql`seq`)} AS key, kind, days, features, plan_code, serial_number, reason, effective_at, expires_after
      FROM grants WHERE user_id = ${userId}::uuid`,
  },
  orders: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${numbered(sql`id`)} AS key, out_trade_no, status, plan_code, plan_name, amount_fen, refunded_fen,
        transaction_id, created_at, paid_at, closed_at
      FROM orders WHERE user_id = ${userId}::uuid`,
  },
  refunds: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${numbered(sql`r.id`)} AS key, r.out_refund_no, o.out_trade_no, r.amount_fen, r.status, r.created_at, r.succeeded_at
      FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.user_id = ${userId}::uuid`,
  },
  devices: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${numbered(sql`b.id`)} AS key, d.serial_number, d.model,
        CASE WHEN b.unbound_at IS NULL THEN d.mac_address END AS mac_address,
        CASE WHEN b.unbound_at IS NULL THEN d.firmware_version END AS firmware_version,
        b.nickname, b.bound_at, b.unbound_at, b.end_reason
      FROM bindings b JOIN devices d USING (serial_number) WHERE b.user_id = ${userId}::uuid`,
  },
  reports: {
    // Each may be a quarter of a megabyte.
    atOnce: 4,
    from: (userId) => sql`
      SELECT id::text AS key, id, client_report_id, kind, serial_number, program_code, started_at, ended_at, score, summary,
        measurements, created_at
      FROM reports WHERE user_id = ${userId}::uuid`,
  },
  message_permissions: {
    atOnce: many,
    from: (userId) => sql`
      SELECT template AS key, template, remaining, updated_at FROM message_permissions WHERE user_id = ${userId}::uuid`,
  },
  reminders: {
    atOnce: many,
    from: (userId) => sql`
      SELECT expires_at::text || lpad(days_before::text, 6, '0') AS key, expires_at, days_before, sent_at
      FROM reminders WHERE user_id = ${userId}::uuid`,
  },
  sessions: {
    atOnce: many,
    from: (userId) => sql`
      SELECT id::text AS key, created_at, expires_at, revoked_at FROM token_families WHERE user_id = ${userId}::uuid`,
  },
}

/** The next rows of a section after this key. */
export const nextRowsSql = (section: Section, userId: string, after: string): Prisma.Sql => sql`
  SELECT * FROM (${sections[section].from(userId)}) kept WHERE key COLLATE "C" > ${after} ORDER BY key COLLATE "C"
  LIMIT ${sections[section].atOnce}`
