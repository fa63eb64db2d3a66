import type { AccountExport } from '@meridian/contracts'
import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Allowance } from '../platform/limits/bounded-work.ts'
import { boundedStream } from '../platform/streams/bounded-stream.ts'
import { utcTextSql } from '../platform/time/utc-text.ts'
import { claimExport } from '../users/own-account.ts'

const { sql } = Prisma

const headColumns = {
  exported_at: column.instant,
  id: column.text,
  openid: column.text,
  nickname: nullable(column.text),
  avatar_url: nullable(column.text),
  created_at: column.instant,
  expires_at: nullable(column.instant),
  feature_expires_at: json(z.record(z.string(), z.string())),
}

async function readHead(pool: Pool, userId: string): Promise<string> {
  const [head] = await execute(
    pool,
    query(
      'read-export-head',
      sql`SELECT business_now() AS exported_at, u.id, u.openid, u.nickname, u.avatar_url, u.created_at, s.expires_at,
        coalesce(s.feature_expires_at, '{}') AS feature_expires_at
      FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id WHERE u.id = ${userId}::uuid AND u.erased_at IS NULL`,
      headColumns,
    ),
  )
  if (!head) throw new DomainError('unauthenticated')
  const { exported_at, expires_at, feature_expires_at, ...profile } = head
  return `{"exported_at":${JSON.stringify(exported_at)},"profile":${JSON.stringify(profile)},"subscription":${JSON.stringify({ expires_at, feature_expires_at })}`
}

type Reading = { pool: Pool; bigReads: Allowance; userId: string }

async function* readSection({ pool, bigReads, userId }: Reading, section: Section): AsyncGenerator<string> {
  yield `,"${section}":[`
  for (let after = '', first = true; ; ) {
    const read = () => execute(pool, query(`export-${section}`, nextRowsSql(section, userId, after)))
    const rows = await bigReads.run(read)
    for (const { key, ...item } of rows) {
      yield `${first ? '' : ','}${JSON.stringify(item)}`
      first = false
      after = String(key)
    }
    if (rows.length < sections[section].atOnce) break
  }
  yield ']'
}

const isSection = (name: string): name is Section => name in sections

async function* readAccount(reading: Reading, head: string): AsyncGenerator<string> {
  yield head
  for (const section of Object.keys(sections).filter(isSection)) yield* readSection(reading, section)
  yield '}'
}

/**
 * Everything that is kept about a person as one JSON document, in pieces: a few rows are in memory at a time. Once an
 * hour.
 * @throws DomainError rate_limited, before the first piece
 */
export async function exportAccount(reading: Reading): Promise<AsyncGenerator<string>> {
  const { pool, userId } = reading
  await claimExport(pool, userId)
  return boundedStream(readAccount(reading, await readHead(pool, userId)))
}

type Section = Exclude<
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
const sections: Readonly<Record<Section, Read>> = {
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
  notes: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${numbered(sql`id`)} AS key, subject_kind, text, created_at
      FROM notes WHERE user_id = ${userId}::uuid AND text IS NOT NULL`,
  },
  tags: {
    atOnce: many,
    from: (userId) => sql`
      SELECT t.subject_kind || ' ' || t.subject_id || ' ' || ${numbered(sql`t.tag_id`)} AS key, t.subject_kind, g.label, t.created_at
      FROM taggings t JOIN tags g ON g.id = t.tag_id WHERE t.user_id = ${userId}::uuid`,
  },
  imports: {
    atOnce: many,
    from: (userId) => sql`
      SELECT l.kind::text || ' ' || l.source || ' ' || l.source_id AS key, l.kind, l.source, l.source_id, i.created_at AS imported_at
      FROM import_lines l JOIN imports i ON i.id = l.import_id WHERE l.user_id = ${userId}::uuid`,
  },
  message_permissions: {
    atOnce: many,
    from: (userId) => sql`
      SELECT template AS key, template, remaining, updated_at FROM message_permissions WHERE user_id = ${userId}::uuid`,
  },
  reminders: {
    atOnce: many,
    from: (userId) => sql`
      SELECT ${utcTextSql(sql`expires_at`)} || lpad(days_before::text, 6, '0') AS key, expires_at, days_before, sent_at
      FROM reminders WHERE user_id = ${userId}::uuid`,
  },
  sessions: {
    atOnce: many,
    from: (userId) => sql`
      SELECT id::text AS key, created_at, expires_at, revoked_at FROM token_families WHERE user_id = ${userId}::uuid`,
  },
}

/** The next rows of a section after this key. */
const nextRowsSql = (section: Section, userId: string, after: string): Prisma.Sql => sql`
  SELECT * FROM (${sections[section].from(userId)}) kept WHERE key COLLATE "C" > ${after} ORDER BY key COLLATE "C"
  LIMIT ${sections[section].atOnce}`
