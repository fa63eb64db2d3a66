import {
  numberWithin,
  readSearchWords,
  SearchHit,
  type SearchHits,
  SearchMatch,
  type SearchWords,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { likePattern } from '../platform/sql/conditions.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { isNamedSql } from '../users/is-named.ts'
import { type Look, lookSql, SHOWN } from './look.ts'
import { lookForOrders, lookForOrdersOf } from './look-for-orders.ts'

const { sql } = Prisma

const startsWith = (text: string) => `${likePattern(text)}%`
const endsWith = (text: string) => startsWith([...text].reverse().join(''))

const wholeUser = (userId: string): Look[] => [
  { kind: 'user', matched: 'user_id', where: sql`u.id = ${userId}::uuid` },
  {
    kind: 'order',
    matched: 'order_of_user',
    where: sql`o.user_id = ${userId}::uuid`,
    newest: sql`o.created_at DESC, o.id DESC`,
  },
]

/** A user id's beginning is a range of ids; its end stands after the last dash. */
function partOfUserId(text: string): Look[] {
  const digits = text.replaceAll('-', '')
  const within = sql`u.id BETWEEN ${digits.padEnd(32, '0')}::uuid AND ${digits.padEnd(32, 'f')}::uuid`
  return [
    { kind: 'user', matched: 'user_id', where: within },
    { kind: 'user', matched: 'user_id', where: sql`reverse(u.id::text) LIKE ${endsWith(text)}` },
  ]
}

function partOfNumber(text: string): Look[] {
  const number = text.toUpperCase()
  const [starts, ends, platformEnds] = [startsWith(number), endsWith(number), endsWith(text)]
  const order = (where: Prisma.Sql): Look => ({ kind: 'order', matched: 'order_number', where })
  const refund = (where: Prisma.Sql): Look => ({ kind: 'refund', matched: 'refund_number', where })
  const device = (where: Prisma.Sql): Look => ({ kind: 'device', matched: 'serial_number', where })
  return [
    order(sql`o.out_trade_no LIKE ${starts}`),
    order(sql`reverse(o.out_trade_no) LIKE ${ends}`),
    refund(sql`r.out_refund_no LIKE ${starts}`),
    refund(sql`reverse(r.out_refund_no) LIKE ${ends}`),
    { kind: 'order', matched: 'transaction_id', where: sql`reverse(o.transaction_id) LIKE ${platformEnds}` },
    {
      kind: 'refund',
      matched: 'platform_refund_id',
      where: sql`reverse(r.platform_refund_id) LIKE ${platformEnds}`,
    },
    device(sql`d.serial_number LIKE ${starts}`),
    device(sql`reverse(d.serial_number) LIKE ${ends}`),
  ]
}

/** Orders of virtual payment by a number of one of their attempts, whole: ours, or one that the platform gave. */
function wholeNumberOfAttempt(text: string): Look[] {
  const orderOf = (matched: SearchMatch, attempts: Prisma.Sql): Look => ({
    kind: 'order',
    matched,
    where: sql`o.id IN (SELECT order_id FROM order_attempts WHERE ${attempts})`,
  })
  return [
    orderOf('attempt_number', sql`number = ${text.toUpperCase()}`),
    orderOf('platform_number', sql`wx_order_id = ${text}`),
    orderOf('platform_number', sql`channel_order_id = ${text}`),
  ]
}

const isName = (text: string) => [...text].length >= 2
const namedSql = (text: string) => isNamedSql(sql`u.nickname`, text)
const byNickname = (text: string): Look => ({ kind: 'user', matched: 'nickname', where: namedSql(text) })

const isUserId = (text: string) => z.uuid().safeParse(text).success
/** No number of the platform has another form that we know of. */
const isNumberOfPlatform = (text: string) => /^[0-9A-Za-z_-]{8,64}$/.test(text)
const isPartOfNumber = (text: string) => /^[0-9A-Za-z-]{4,32}$/.test(text)
const isPartOfUserId = (text: string) => /^[0-9a-f-]{4,35}$/.test(text) && /[0-9a-f]/.test(text)

function looksForNumber(text: string, mayReveal: boolean): Look[] {
  const lower = text.toLowerCase()
  return [
    ...(isPartOfNumber(text) ? partOfNumber(text) : []),
    ...(isNumberOfPlatform(text) ? wholeNumberOfAttempt(text) : []),
    ...(isPartOfUserId(lower) ? partOfUserId(lower) : []),
    ...(mayReveal
      ? [{ kind: 'user', matched: 'openid', where: sql`u.openid = ${text} AND u.erased_at IS NULL` } as const]
      : []),
  ]
}

/** Words of which some say an amount or a day: the others are whose order it is, or a number beside it. */
function looksForWords(words: SearchWords, mayReveal: boolean): Look[] {
  const { rest } = words
  if (rest === '') return lookForOrders(words)
  const named = isName(rest) ? [lookForOrdersOf(namedSql(rest), words)] : []
  return [...looksForNumber(rest, mayReveal), ...named, ...lookForOrders(words)]
}

type Asked = { text: string; today: string; mayReveal: boolean; names: NameView }

/** Where a text is looked up: each is one look into an index. */
function looksFor({ text, today, mayReveal }: Asked): Look[] {
  const number = numberWithin(text)
  if (isUserId(number.toLowerCase())) return wholeUser(number.toLowerCase())
  const words = readSearchWords(number, today)
  return [
    ...looksForNumber(number, mayReveal),
    ...(words.amountFen === null && words.day === null ? [] : looksForWords(words, mayReveal)),
    ...(isName(number) ? [byNickname(number)] : []),
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
      more ||= matched !== 'order_of_user'
      continue
    }
    hits.set(key, hit)
    shown.set(matched, count + 1)
  }
  return { hits: [...hits.values()], more }
}

/**
 * What a text leads to: an order, a refund, a user or a device by their id, its beginning or its end (four characters at
 * least), an order by the platform's transaction id or its end, or by a whole number of one of its attempts, a refund by
 * the platform's number of it, an order by its amount, its day, and the nickname of its payer, a user by a part of their
 * nickname, and, for who may reveal identifiers, by their whole openid. A whole user id also leads to their newest
 * orders. One statement of at most two seconds, in which each part looks at 200 rows, or at those of one day, at most.
 * @throws DomainError range_too_wide
 */
export async function findAnything(pool: Pool, asked: Asked): Promise<SearchHits> {
  const parts = looksFor(asked).map((look) => lookSql(look, asked.names))
  if (parts.length === 0) return { hits: [], more: false }
  return choose(await readLimited(pool, sql`${Prisma.join(parts, ' UNION ALL ')}`, foundColumns))
}
