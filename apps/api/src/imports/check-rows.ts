import { IMPORT_LIMIT_FAULTS, ImportFault, type ImportFaultCode, type ImportKind } from '@meridian/contracts'
import { type Connection, column, execute, json, Prisma, query } from '@meridian/db'
import { bindingObstacles } from '../devices/import-bindings.ts'
import { orderObstacles } from '../orders/import-orders.ts'
import { isBannedRowSql } from '../users/meet-imported.ts'
import type { ImportView } from './keep-import.ts'
import { isKnownRowSql } from './known-rows.ts'

const { sql } = Prisma
const rowsAtOnce = 1000

/** What is wrong with the row `r`, as a condition. What is known brings nothing, and is not asked. */
type Check = { column: string; code: ImportFaultCode; broken: Prisma.Sql }

const repeats = (same: Prisma.Sql): Prisma.Sql => sql`EXISTS (
  SELECT 1 FROM import_rows e WHERE e.import_id = r.import_id AND ${same} AND e.line < r.line)`

const sameLine: Check = {
  column: 'source_id',
  code: 'source_id_repeated',
  broken: repeats(sql`e.source = r.source AND e.source_id = r.source_id`),
}
const banned: Check = { column: 'openid', code: 'user_banned', broken: isBannedRowSql }
const plan: Check = {
  column: 'plan_code',
  code: 'plan_unknown',
  broken: sql`r.plan_code IS NOT NULL AND NOT EXISTS (SELECT 1 FROM plans p WHERE p.code = r.plan_code)`,
}
const future = (name: string): Check => ({
  column: name,
  code: 'in_future',
  broken: sql`r.at > business_now()`,
})

const daysOfRowSql = (kind: ImportKind) =>
  kind === 'orders'
    ? sql`coalesce(r.days, (SELECT p.duration_days FROM plans p WHERE p.code = r.plan_code))`
    : sql`r.days`

/**
 * Days of an order that was paid before somebody had days here: the time that they were used in would be given once more, on
 * top of these. What is left of them is a subscriber's line, beside an order with `days` 0 (docs/import.md).
 */
const hasLaterDays: Check = {
  column: 'days',
  code: 'has_later_days',
  broken: sql`${daysOfRowSql('orders')} <> 0 AND EXISTS (
    SELECT 1 FROM users u JOIN grants g ON g.user_id = u.id
    WHERE u.openid = r.openid AND g.days > 0 AND g.effective_at > r.at AND g.kind <> 'imported' AND NOT EXISTS (
      SELECT 1 FROM orders undone WHERE undone.id = g.order_id AND undone.import_undone_at IS NOT NULL))`,
}

const checks: Readonly<Record<ImportKind, readonly Check[]>> = {
  subscribers: [
    sameLine,
    banned,
    plan,
    { column: 'expires_at', code: 'too_far', broken: sql`r.days > 3660` },
  ],
  orders: [
    sameLine,
    banned,
    plan,
    future('paid_at'),
    {
      column: 'out_trade_no',
      code: 'number_repeated',
      broken: repeats(sql`e.out_trade_no = r.out_trade_no`),
    },
    {
      column: 'out_trade_no',
      code: 'number_taken',
      broken: orderObstacles.number_taken,
    },
    {
      column: 'transaction_id',
      code: 'transaction_repeated',
      broken: sql`r.transaction_id IS NOT NULL AND ${repeats(sql`e.transaction_id = r.transaction_id`)}`,
    },
    {
      column: 'transaction_id',
      code: 'transaction_taken',
      broken: orderObstacles.transaction_taken,
    },
    hasLaterDays,
  ],
  bindings: [
    sameLine,
    banned,
    future('bound_at'),
    {
      column: 'serial_number',
      code: 'device_repeated',
      broken: repeats(sql`e.serial_number = r.serial_number`),
    },
    { column: 'serial_number', code: 'device_taken', broken: bindingObstacles.device_taken },
    { column: 'serial_number', code: 'device_disabled', broken: bindingObstacles.device_disabled },
    {
      column: 'serial_number',
      code: 'device_not_registered',
      broken: bindingObstacles.device_not_registered,
    },
  ],
}

/** A repeated line is wrong whatever was taken over before; all else is asked of lines that are new. */
const faultSql = ({ column: name, code, broken }: Check) =>
  sql`CASE WHEN ${code === 'source_id_repeated' ? broken : sql`NOT known AND (${broken})`}
    THEN jsonb_build_object('line', r.line, 'column', ${name}::text, 'code', ${code}::text) END`

const checkedColumns = {
  faults: json(ImportFault.array()),
  last: column.integer,
  users: column.number,
  days: column.number,
  fen: column.number,
}

/** Some rows behind this line: what is wrong with them, and what they would bring. */
const checkSome = (db: Connection, { id, kind }: Pick<ImportView, 'id' | 'kind'>, after: number) =>
  execute(
    db,
    query(
      `check-import-${kind}`,
      sql`
      WITH next_rows AS MATERIALIZED (
        SELECT r.*, ${isKnownRowSql(kind, 'r')} AS known FROM import_rows r
        WHERE r.import_id = ${id}::uuid AND r.line > ${after}::int ORDER BY r.line LIMIT ${rowsAtOnce}::int),
      judged AS (
        SELECT r.*, array_remove(ARRAY[${Prisma.join(checks[kind].map((check) => faultSql(check)))}], NULL) AS wrong,
          NOT known AND NOT EXISTS (
            SELECT 1 FROM import_rows e WHERE e.import_id = r.import_id AND e.openid = r.openid AND (e.at, e.line) < (r.at, r.line) AND NOT ${isKnownRowSql(kind, 'e')}) AS first
        FROM next_rows r)
      SELECT coalesce((SELECT jsonb_agg(f ORDER BY j.line) FROM judged j, unnest(j.wrong) f), '[]') AS faults,
        coalesce(max(r.line), 0)::int AS last, (count(*) FILTER (WHERE first))::float8 AS users,
        coalesce(sum(${daysOfRowSql(kind)}) FILTER (WHERE NOT known), 0)::float8 AS days,
        coalesce(sum(r.amount_fen) FILTER (WHERE NOT known), 0)::float8 AS fen
      FROM judged r`,
      checkedColumns,
    ),
  )

export type Checked = { faults: ImportFault[]; users: number; days: number; fen: number }

/**
 * The second pass: holds the rows against each other and against what is here, a thousand at a time, and adds up what
 * those bring that are new.
 */
export async function checkRows(db: Connection, held: Pick<ImportView, 'id' | 'kind'>): Promise<Checked> {
  const sum: Checked = { faults: [], users: 0, days: 0, fen: 0 }
  for (let after = 0; ; ) {
    const [some] = await checkSome(db, held, after)
    if (!some || some.last === 0) return sum
    sum.faults.push(...some.faults.slice(0, IMPORT_LIMIT_FAULTS - sum.faults.length))
    sum.users += some.users
    sum.days += some.days
    sum.fen += some.fen
    after = some.last
  }
}
