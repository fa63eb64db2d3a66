import type { PlanDetail, PlanSheet, PriceChange } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'

const columns = Prisma.sql`
  code, name, description, duration_days AS "durationDays", price_fen AS "priceFen", list_price_fen AS "listPriceFen",
  features, badge, sort_order AS "sortOrder", on_sale AS "onSale", created_at AS "createdAt", updated_at AS "updatedAt"`

/** Every plan there ever was, in the order of the shop. */
export const listAllPlans = (pool: Pool): Promise<PlanDetail[]> =>
  run(pool, 'list-all-plans', Prisma.sql`SELECT ${columns} FROM plans ORDER BY sort_order, code`)

/**
 * A plan and how its price moved, newest first.
 * @throws DomainError plan_not_found
 */
export async function showPlan(pool: Pool, code: string): Promise<PlanSheet> {
  const [plan] = await run<PlanDetail>(
    pool,
    'show-plan',
    Prisma.sql`SELECT ${columns} FROM plans WHERE code = ${code}`,
  )
  if (!plan) throw new DomainError('plan_not_found')
  const priceChanges = await run<PriceChange>(
    pool,
    'list-price-changes',
    Prisma.sql`
      SELECT c.id::text AS id, c.from_fen AS "fromFen", c.to_fen AS "toFen", o.email AS "operatorEmail",
        c.changed_at AS "changedAt"
      FROM plan_price_changes c LEFT JOIN operators o ON o.id = c.operator_id
      WHERE c.plan_code = ${code} ORDER BY c.id DESC LIMIT 100`,
  )
  return { plan, priceChanges }
}
