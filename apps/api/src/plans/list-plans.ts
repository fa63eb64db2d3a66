import type { Sale } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { z } from 'zod'
import { settingValue } from '../settings/read-settings.ts'

export const ClientPlatform = z.enum(['ios', 'android', 'other'])
export type ClientPlatform = z.infer<typeof ClientPlatform>

export type PlanOnSale = {
  code: string
  name: string
  description: string
  durationDays: number
  priceFen: number
  listPriceFen: number | null
  features: string[]
  badge: string | null
}

/** What is on sale, in the shop's order, and whether this client platform may buy. */
export async function listPlans(
  pool: Pool,
  platform: ClientPlatform,
): Promise<{ plans: PlanOnSale[]; sale: Sale }> {
  const [row] = await run<{ plans: PlanOnSale[]; sale: Sale }>(
    pool,
    'list-plans',
    Prisma.sql`
      SELECT ${settingValue('sale_policy')} -> ${platform} AS sale, coalesce((
        SELECT json_agg(json_build_object(
          'code', code, 'name', name, 'description', description, 'durationDays', duration_days,
          'priceFen', price_fen, 'listPriceFen', list_price_fen, 'features', features, 'badge', badge)
          ORDER BY sort_order, code)
        FROM plans WHERE on_sale), '[]') AS plans`,
  )
  return { plans: row?.plans ?? [], sale: row?.sale ?? { allowed: true, message: null } }
}

export type Offer = PlanOnSale & { ttlMinutes: number; sale: Sale }

/** One plan on sale with everything a purchase of it needs to know, in one read. */
export async function findOffer(pool: Pool, code: string, platform: ClientPlatform): Promise<Offer | null> {
  const rows = await run<Offer>(
    pool,
    'find-offer',
    Prisma.sql`
      SELECT code, name, description, duration_days AS "durationDays", price_fen AS "priceFen",
        list_price_fen AS "listPriceFen", features, badge,
        (${settingValue('order_ttl_minutes')})::int AS "ttlMinutes", ${settingValue('sale_policy')} -> ${platform} AS sale
      FROM plans WHERE code = ${code} AND on_sale`,
  )
  return rows[0] ?? null
}
