import { type SaleCompliance, settingShapes } from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { settingSql } from '../settings/read-settings.ts'

const platforms = ['ios', 'android', 'other'] as const

const unsold = { channel: 'none', allowed: false, message: null } as const
const nothingSold = { ios: unsold, android: unsold, other: unsold }

/** By which channel each platform sells plans, and which plans have no item for virtual payment. */
export async function showCompliance(pool: Pool, isVirtualConfigured: boolean): Promise<SaleCompliance> {
  const [row] = await execute(
    pool,
    query(
      'show-sale-compliance',
      Prisma.sql`
      SELECT ${settingSql('sale_policy')} AS policy,
        ARRAY(SELECT name FROM plans WHERE on_sale AND virtual_product_id IS NULL ORDER BY sort_order, code) AS "plansWithoutItem"`,
      { policy: json(z.unknown()), plansWithoutItem: column.texts },
    ),
  )
  const policy = settingShapes.sale_policy.safeParse(row?.policy).data ?? nothingSold
  return {
    platforms: platforms.map((platform) => ({ platform, channel: policy[platform].channel })),
    isVirtualConfigured,
    plansWithoutItem: row?.plansWithoutItem ?? [],
  }
}
