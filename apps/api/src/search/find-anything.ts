import { numberWithin, SearchHit, type SearchHits, SearchMatch } from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { likePattern } from '../platform/sql/conditions.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { maskedNicknameSql } from '../users/list-users.ts'

const { sql } = Prisma

/** How many rows each part looks at, and how many of them it shows, the newest first. */
const LOOKED_AT = 200
const SHOWN = 5

type Kind = { hit: Prisma.Sql; rows: Prisma.Sql }

const kinds = {
  order: {
    hit: sql`'kind', 'order', 'outTradeNo', o.out_trade_no, 'status', o.status, 'channel', o.channel, 'amountFen', o.amount_fen,
      'planName', o.plan_name`,
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

/** Orders of virtual payment by a number of one of their attempts, whole: ours, or one that the platform gave. */
const wholeNumberOfAttempt = (text: string) => {
  const orderOf = (attempts: Prisma.Sql) =>
    sql`o.id IN (SELECT order_id FROM order_attempts WHERE ${attempts})`
  const ours = sql`number = ${text.toUpperCase()}`
  return [
    part(kinds.order, 'attempt_number', orderOf(ours)),
    part(kinds.order, 'platform_number', orderOf(sql`wx_order_id = ${text}`)),
    part(kinds.order, 'platform_number', orderOf(sql`channel_order_id = ${text}`)),
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
/** No number of the platform has another form that we know of. */
const isNumberOfPlatform = (text: string) => /^[0-9A-Za-z_-]{8,64}$/.test(text)
const isPartOfNumber = (text: string) => /^[0-9A-Za-z-]{4,32}$/.test(text)
const isPartOfUserId = (text: string) => /^[0-9a-f-]{4,35}$/.test(text) && /[0-9a-f]/.test(text)

/** Where a text is looked up: each is one look into an index. */
function searchPartsSql(text: string, mayReveal: boolean): Prisma.Sql[] {
  const lower = text.toLowerCase()
  if (isUserId(lower)) return wholeUser(lower)
  return [
    ...(isPartOfNumber(text) ? partOfNumber(text) : []),
    ...(isNumberOfPlatform(text) ? wholeNumberOfAttempt(text) : []),
    ...(isPartOfUserId(lower) ? partOfUserId(lower) : []),
    ...(mayReveal ? [part(kinds.user, 'openid', sql`u.openid = ${text} AND u.erased_at IS NULL`)] : []),
    ...([...text].length < 2 ? [] : [byNickname(text)]),
  ]
}

const foundColumns = columnsOf(z.object({ matched: SearchMatch, hit: SearchHit }))
type Found = RowOf<typeof foundColumns>

const idOf = (hit: SearchHit): string => {
  if (hit.kind === 'order') return hit.outTradeNo
  if (hit.kind === 'refund') return hit.outRefundNo
  return hit.kind === 'user' ? hit.userId : hit.serialNumber
}

/** Each thing once, by what it matched first; of each match so many. */
function choose(found: readonly Found[]): SearchHits {
  const hits = new Map<string, SearchHit>()
  const shown = new Map<SearchMatch, number>()
  let more = false
  for (const { matched, hit } of found) {
    const key = `${hit.kind} ${idOf(hit)}`
    if (hits.has(key)) continue
    const count = shown.get(matched) ?? 0
    if (count === SHOWN) {
      more = true
      continue
    }
    hits.set(key, hit)
    shown.set(matched, count + 1)
  }
  return { hits: [...hits.values()], more }
}

/**
 * What a text leads to: an order, a refund, a user or a device by their id, its beginning or its end (four characters at
 * least), an order by the platform's transaction id or its end, or by a whole number of one of its attempts, a user by a
 * part of their nickname, and, for who may reveal identifiers, by their whole openid. A whole user id also leads to their newest orders. One statement of at most
 * two seconds, in which each part looks at 200 rows at most.
 * @throws DomainError range_too_wide
 */
export async function findAnything(
  pool: Pool,
  { text, mayReveal }: { text: string; mayReveal: boolean },
): Promise<SearchHits> {
  const parts = searchPartsSql(numberWithin(text), mayReveal)
  return choose(await readLimited(pool, sql`${Prisma.join(parts, ' UNION ALL ')}`, foundColumns))
}
