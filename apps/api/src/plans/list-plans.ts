import { Sale } from '@meridian/contracts'
import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { settingSql } from '../settings/read-settings.ts'

export const ClientPlatform = z.enum(['ios', 'android', 'other'])
export type ClientPlatform = z.infer<typeof ClientPlatform>

const PlanOnSale = z.object({
  code: z.string(),
  name: z.string(),
  description: z.string(),
  durationDays: z.int(),
  priceFen: z.int(),
  listPriceFen: z.int().nullable(),
  features: z.array(z.string()),
  badge: z.string().nullable(),
})
export type PlanOnSale = z.infer<typeof PlanOnSale>

/** What is on sale, in the shop's order, and whether this client platform may buy. */
export async function listPlans(
  pool: Pool,
  platform: ClientPlatform,
): Promise<{ plans: PlanOnSale[]; sale: Sale }> {
  const [row] = await execute(
    pool,
    query(
      'list-plans',
      Prisma.sql`
      SELECT ${settingSql('sale_policy')} -> ${platform} AS sale, coalesce((
        SELECT json_agg(json_build_object(
          'code', code, 'name', name, 'description', description, 'durationDays', duration_days,
          'priceFen', price_fen, 'listPriceFen', list_price_fen, 'features', features, 'badge', badge)
          ORDER BY sort_order, code)
        FROM plans WHERE on_sale), '[]') AS plans`,
      { plans: json(PlanOnSale.array()), sale: nullable(json(Sale)) },
    ),
  )
  return { plans: row?.plans ?? [], sale: row?.sale ?? { allowed: true, message: null } }
}

export type PlanSelection = { planCode: string; expectedAmountFen: number | null; platform: ClientPlatform }
export type Offer = { priceFen: number; sale: Sale }

/** What a client platform may buy of a plan, at which price. */
export async function findOffer(pool: Pool, { planCode, platform }: PlanSelection): Promise<Offer | null> {
  const rows = await execute(
    pool,
    query(
      'find-offer',
      Prisma.sql`
      SELECT price_fen AS "priceFen", ${settingSql('sale_policy')} -> ${platform} AS sale
      FROM plans WHERE code = ${planCode} AND on_sale`,
      { priceFen: column.integer, sale: json(Sale) },
    ),
  )
  return rows[0] ?? null
}

/** The plan of this wish, when it is on sale to this client platform at the price it expects: a query of one row or none. */
export const findOfferSql = ({
  planCode,
  expectedAmountFen,
  platform,
}: PlanSelection): Prisma.Sql => Prisma.sql`
  SELECT code, name, duration_days, features, price_fen, (${settingSql('order_ttl_minutes')})::int AS ttl_minutes
  FROM plans WHERE code = ${planCode} AND on_sale AND price_fen = coalesce(${expectedAmountFen}::int, price_fen)
    AND (${settingSql('sale_policy')} -> ${platform} ->> 'allowed')::boolean`
