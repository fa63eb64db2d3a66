import type { SearchMatch } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { type NameView, nicknameOfSql, nicknameSql } from '../platform/sql/show-nickname.ts'

const { sql } = Prisma

/** How many rows each part looks at, and how many of them are shown. */
export const LOOKED_AT = 200
export const SHOWN = 5

const dayOfSql = (instant: Prisma.Sql) => sql`(${instant} AT TIME ZONE 'Asia/Shanghai')::date`

/** What stands in a hit of each kind. */
export const hitSql = {
  order: (
    names: NameView,
  ) => sql`'kind', 'order', 'outTradeNo', o.out_trade_no, 'status', o.status, 'channel', o.channel,
    'amountFen', o.amount_fen, 'planName', o.plan_name, 'payer', ${nicknameOfSql(sql`o.user_id`, names)},
    'paidOn', ${dayOfSql(sql`o.paid_at`)}, 'createdOn', ${dayOfSql(sql`o.created_at`)}`,
  refund: () =>
    sql`'kind', 'refund', 'outRefundNo', r.out_refund_no, 'status', r.status, 'amountFen', r.amount_fen`,
  user: (names: NameView) =>
    sql`'kind', 'user', 'userId', u.id, 'nickname', ${nicknameSql(names)}, 'isDisabled', u.disabled_at IS NOT NULL`,
  device: () => sql`'kind', 'device', 'serialNumber', d.serial_number, 'model', d.model`,
} as const

const tables = {
  order: { row: sql`o`, from: sql`orders o` },
  refund: { row: sql`r`, from: sql`refunds r` },
  user: { row: sql`u`, from: sql`users u` },
  device: { row: sql`d`, from: sql`devices d` },
} as const

/** One part of a search: what it looks for, and by which condition. */
export type Look = {
  kind: keyof typeof tables
  matched: SearchMatch
  where: Prisma.Sql
  /** Where the rows are read from, if not the table alone. */
  from?: Prisma.Sql
  /** The order in which an index gives the rows; without one any rows are looked at. */
  newest?: Prisma.Sql
}

/** A look as a part of the statement: at so many rows that an index gives, of which the newest are shown. */
export function lookSql({ kind, matched, where, from, newest }: Look, names: NameView): Prisma.Sql {
  const table = tables[kind]
  return sql`
    (SELECT ${matched}::text AS matched, json_build_object('matched', ${matched}::text, ${hitSql[kind](names)}) AS hit FROM (
       SELECT * FROM (
         SELECT ${table.row}.* FROM ${from ?? table.from} WHERE ${where}
         ${newest ? sql`ORDER BY ${newest}` : sql``} LIMIT ${LOOKED_AT}) looked_at
       ORDER BY created_at DESC LIMIT ${SHOWN + 1}) ${table.row}
     ORDER BY created_at DESC)`
}
