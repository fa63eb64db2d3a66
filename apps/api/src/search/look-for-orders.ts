import type { SearchWords } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { fallsOnSql } from '../platform/time/business-time.ts'
import { LOOKED_AT, type Look } from './look.ts'

const { sql } = Prisma

const paidAt = sql`o.paid_at`
const createdAt = sql`o.created_at`
const amountIs = (amountFen: number) => sql`o.amount_fen = ${amountFen}`

/** Orders of a day, of one amount or of any: those paid on it, and those made on it, each over an index of its instant. */
function ofDay(day: string, amountFen: number | null): Look[] {
  const matched = amountFen === null ? 'day' : 'amount_and_day'
  const amount = amountFen === null ? sql`TRUE` : amountIs(amountFen)
  const on = (instant: Prisma.Sql): Look => ({
    kind: 'order',
    matched,
    where: sql`${fallsOnSql(instant, day)} AND ${amount}`,
    newest: sql`${instant} DESC`,
  })
  return [on(paidAt), on(createdAt)]
}

const ofAmount = (amountFen: number): Look => ({
  kind: 'order',
  matched: 'amount',
  where: amountIs(amountFen),
  newest: sql`o.amount_fen DESC, o.id DESC`,
})

/** Orders by what they cost and when they were paid or made. */
export function lookForOrders({ amountFen, day }: SearchWords): Look[] {
  if (day !== null) return ofDay(day, amountFen)
  return amountFen === null ? [] : [ofAmount(amountFen)]
}

/** How many orders of each of those people are looked at: the newest, or those made up to a week before the day. */
const LOOKED_AT_OF_PAYER = 10

const madeBeforeSql = (day: string) => sql`
  created_at >= (${day}::date - 7)::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND created_at < (${day}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'`

/** Orders by what they cost or when, of people whom a condition on `u` finds: the newest of each. */
export function lookForOrdersOf(people: Prisma.Sql, { amountFen, day }: SearchWords): Look {
  const amount = amountFen === null ? sql`TRUE` : amountIs(amountFen)
  const onDay = day === null ? sql`TRUE` : sql`(${fallsOnSql(paidAt, day)} OR ${fallsOnSql(createdAt, day)})`
  return {
    kind: 'order',
    matched: 'payer',
    from: sql`(SELECT u.id FROM users u WHERE ${people} LIMIT ${LOOKED_AT}) payers CROSS JOIN LATERAL (
      SELECT * FROM orders WHERE user_id = payers.id AND ${day === null ? sql`TRUE` : madeBeforeSql(day)}
      ORDER BY created_at DESC, id DESC LIMIT ${LOOKED_AT_OF_PAYER}) o`,
    where: sql`${amount} AND ${onDay}`,
  }
}
