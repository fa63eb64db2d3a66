import { isFarPrice, type Price } from '@meridian/contracts'
import { type Db, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { settingSql } from '../settings/read-settings.ts'

const { sql } = Prisma

/** Whether a day costs less than the setting price_floor_fen_per_day. */
export const isBelowFloor = ({ priceFen, durationDays }: Price, floorFenPerDay: number): boolean =>
  priceFen < floorFenPerDay * durationDays

type Reference = Price & { code: string; onSale: boolean }

/** What each plan cost 24 hours ago, by its history; a plan that was not there then has none. */
const referencesSql = sql`
  SELECT p.code, p.on_sale AS "onSale",
    CASE WHEN c.id IS NULL THEN p.price_fen ELSE c.from_fen END AS "priceFen",
    CASE WHEN c.id IS NULL THEN p.duration_days ELSE coalesce(c.from_days, p.duration_days) END AS "durationDays"
  FROM plans p LEFT JOIN LATERAL (
    SELECT * FROM plan_price_changes c WHERE c.plan_code = p.code AND c.changed_at > business_now() - interval '24 hours'
    ORDER BY c.changed_at, c.id LIMIT 1) c ON true
  WHERE c.id IS NULL OR c.from_fen IS NOT NULL`

async function readReferences(db: Db, code: string): Promise<Price[]> {
  const all = await db.$queryRaw<Reference[]>(referencesSql)
  const own = all.filter((reference) => reference.code === code)
  if (own.length > 0) return own
  const onSale = all.filter((reference) => reference.onSale)
  return onSale.length > 0 ? onSale : all
}

/**
 * Lets pass a price above the floor.
 * @throws DomainError price_below_floor
 */
export async function requireFloor(db: Db, price: Price): Promise<void> {
  const [row] = await db.$queryRaw<{ floor: number }[]>(
    sql`SELECT coalesce((${settingSql('price_floor_fen_per_day')})::int, 0) AS floor`,
  )
  if (isBelowFloor(price, row?.floor ?? 0)) throw new DomainError('price_below_floor')
}

/**
 * Whether this price of the plan needs a second person.
 * @throws DomainError price_below_floor
 */
export async function judgePrice(db: Db, { code, ...price }: Price & { code: string }): Promise<boolean> {
  await requireFloor(db, price)
  return isFarPrice(price, await readReferences(db, code))
}
