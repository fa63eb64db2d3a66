import type { SearchMatch } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { z } from 'zod'
import { likePattern } from '../platform/sql/like-pattern.ts'
import { maskedNicknameSql } from '../users/list-users.ts'

const { sql } = Prisma

/** How many rows each part looks at, and how many of them it shows, the newest first. */
const LOOKED_AT = 200
export const SHOWN = 5

type Kind = { hit: Prisma.Sql; rows: Prisma.Sql }

const kinds = {
  order: {
    hit: sql`'kind', 'order', 'outTradeNo', o.out_trade_no, 'status', o.status, 'amountFen', o.amount_fen, 'planName', o.plan_name`,
    rows: sql`orders o`,
  },
  refund: {
    hit: sql`'kind', 'refund', 'outRefundNo', r.out_refund_no, 'status', r.status, 'amountFen', r.amount_fen`,
    rows: sql`refunds r`,
  },
  user: {
    hit: sql`'kind', 'user', 'userId', u.id, 'nickname', ${maskedNicknameSql}, 'isDisabled', u.disabled_at IS NOT NULL`,
    rows: sql`users u`,
  },
  device: {
    hit: sql`'kind', 'device', 'serialNumber', d.serial_number, 'model', d.model`,
    rows: sql`devices d`,
  },
} as const satisfies Record<string, Kind>

/** One part of the search: looks at so many rows that an index gives, and shows the newest of them. */
const part = ({ hit, rows }: Kind, matched: SearchMatch, condition: Prisma.Sql) => sql`
  (SELECT ${matched}::text AS matched, hit FROM (
     SELECT created_at, json_build_object('matched', ${matched}::text, ${hit}) AS hit
     FROM ${rows} WHERE ${condition} LIMIT ${LOOKED_AT}) looked_at
   ORDER BY created_at DESC LIMIT ${SHOWN + 1})`

const startsWith = (text: string) => `${likePattern(text)}%`
const endsWith = (text: string) => startsWith([...text].reverse().join(''))

const wholeUser = (userId: string) => [
  part(kinds.user, 'user_id', sql`u.id = ${userId}::uuid`),
  sql`
    (SELECT 'order_of_user' AS matched, json_build_object('matched', 'order_of_user', ${kinds.order.hit}) AS hit
     FROM orders o WHERE o.user_id = ${userId}::uuid ORDER BY o.created_at DESC, o.id DESC LIMIT ${SHOWN})`,
]

/** A user id's beginning is a range of ids; its end stands after the last dash. */
const partOfUserId = (text: string) => {
  const digits = text.replaceAll('-', '')
  return [
    part(
      kinds.user,
      'user_id',
      sql`u.id BETWEEN ${digits.padEnd(32, '0')}::uuid AND ${digits.padEnd(32, 'f')}::uuid`,
    ),
    part(kinds.user, 'user_id', sql`reverse(u.id::text) LIKE ${endsWith(text)}`),
  ]
}

const partOfNumber = (text: string) => {
  const number = text.toUpperCase()
  const [starts, ends] = [startsWith(number), endsWith(number)]
  return [
    part(kinds.order, 'order_number', sql`o.out_trade_no LIKE ${starts}`),
    part(kinds.order, 'order_number', sql`reverse(o.out_trade_no) LIKE ${ends}`),
    part(kinds.refund, 'refund_number', sql`r.out_refund_no LIKE ${starts}`),
    part(kinds.refund, 'refund_number', sql`reverse(r.out_refund_no) LIKE ${ends}`),
    part(kinds.order, 'transaction_id', sql`reverse(o.transaction_id) LIKE ${endsWith(text)}`),
    part(kinds.device, 'serial_number', sql`d.serial_number LIKE ${starts}`),
    part(kinds.device, 'serial_number', sql`reverse(d.serial_number) LIKE ${ends}`),
  ]
}

const byNickname = (text: string) =>
  part(
    kinds.user,
    'nickname',
    sql`character_pairs(u.nickname) @> character_pairs(${text})
        AND u.nickname IS NOT NULL AND u.nickname ILIKE ${`%${likePattern(text)}%`}`,
  )

const isUserId = (text: string) => z.uuid().safeParse(text).success
const isPartOfNumber = (text: string) => /^[0-9A-Za-z-]{4,32}$/.test(text)
const isPartOfUserId = (text: string) => /^[0-9a-f-]{4,35}$/.test(text) && /[0-9a-f]/.test(text)

/** Where a text is looked up: each is one look into an index. */
export function searchPartsSql(text: string, mayReveal: boolean): Prisma.Sql[] {
  const lower = text.toLowerCase()
  if (isUserId(lower)) return wholeUser(lower)
  return [
    ...(isPartOfNumber(text) ? partOfNumber(text) : []),
    ...(isPartOfUserId(lower) ? partOfUserId(lower) : []),
    ...(mayReveal ? [part(kinds.user, 'openid', sql`u.openid = ${text} AND u.erased_at IS NULL`)] : []),
    ...([...text].length < 2 ? [] : [byNickname(text)]),
  ]
}
