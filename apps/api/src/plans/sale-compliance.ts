import { type SaleCompliance, settingShapes } from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { settingSql } from '../settings/read-settings.ts'
import { appleLeastFen } from './list-plans.ts'

const { sql } = Prisma

const platforms = ['ios', 'android', 'other'] as const

const unsold = { channel: 'none', allowed: false, message: null } as const
const nothingSold = { ios: unsold, android: unsold, other: unsold }

/** The names of plans on sale, as an array. */
const namesSql = (condition: Prisma.Sql) =>
  sql`ARRAY(SELECT name FROM plans WHERE on_sale AND ${condition} ORDER BY sort_order, code)`

/** By which channel each platform sells plans, and which plans virtual payment does not sell. */
export async function showCompliance(pool: Pool, isVirtualConfigured: boolean): Promise<SaleCompliance> {
  const [row] = await execute(
    pool,
    query(
      'show-sale-compliance',
      sql`
      SELECT ${settingSql('sale_policy')} AS policy,
        ${namesSql(sql`virtual_product_id IS NULL`)} AS "plansWithoutItem",
        ${namesSql(sql`virtual_product_id IS NOT NULL AND price_fen < ${appleLeastFen}`)} AS "plansBelowApple"`,
      { policy: json(z.unknown()), plansWithoutItem: column.texts, plansBelowApple: column.texts },
    ),
  )
  const policy = settingShapes.sale_policy.safeParse(row?.policy).data ?? nothingSold
  return {
    platforms: platforms.map((platform) => ({ platform, channel: policy[platform].channel })),
    isVirtualConfigured,
    plansWithoutItem: row?.plansWithoutItem ?? [],
    plansBelowApple: row?.plansBelowApple ?? [],
  }
}
