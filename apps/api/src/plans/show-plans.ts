import { type PlanCreation, PlanDetail, type PlanSheet, PriceChange } from '@meridian/contracts'
import { type Db, execute, type Pool, Prisma, query } from '@meridian/db'
import { listWaiting } from '../approvals/list-waiting.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const priceChangeColumns = columnsOf(PriceChange)

const planDetailColumns = columnsOf(PlanDetail)

const columns = Prisma.sql`
  code, name, description, name_en AS "nameEn", description_en AS "descriptionEn", duration_days AS "durationDays", price_fen AS "priceFen", list_price_fen AS "listPriceFen",
  features, badge, badge_en AS "badgeEn", virtual_product_id AS "virtualProductId", sort_order AS "sortOrder", on_sale AS "onSale", created_at AS "createdAt", updated_at AS "updatedAt"`

/** Every plan there ever was, in the order of the shop. */
export const listAllPlans = (pool: Pool): Promise<PlanDetail[]> =>
  execute(
    pool,
    query(
      'list-all-plans',
      Prisma.sql`SELECT ${columns} FROM plans ORDER BY sort_order, code`,
      planDetailColumns,
    ),
  )

/**
 * A plan, or the request for one: how its price moved, newest first, and what waits.
 * @throws DomainError plan_not_found
 */
export async function showPlanOrRequest(
  pool: Pool,
  { code, operatorId }: { code: string; operatorId: string },
): Promise<PlanCreation> {
  const [plan] = await execute(
    pool,
    query('show-plan', Prisma.sql`SELECT ${columns} FROM plans WHERE code = ${code}`, planDetailColumns),
  )
  const [waiting = null] = await listWaiting(pool, { kind: 'plan', subject: code, operatorId })
  if (!plan && !waiting) throw new DomainError('plan_not_found')
  const priceChanges = await execute(
    pool,
    query(
      'list-price-changes',
      Prisma.sql`
      SELECT c.id::text AS id, c.from_fen AS "fromFen", c.to_fen AS "toFen", c.from_days AS "fromDays", c.to_days AS "toDays",
        o.email AS "operatorEmail",
        c.changed_at AS "changedAt"
      FROM plan_price_changes c LEFT JOIN operators o ON o.id = c.operator_id
      WHERE c.plan_code = ${code} AND c.from_fen IS NOT NULL ORDER BY c.id DESC LIMIT 100`,
      priceChangeColumns,
    ),
  )
  return { plan: plan ?? null, priceChanges, waiting }
}

/**
 * A plan and how its price moved, newest first.
 * @throws DomainError plan_not_found
 */
export async function showPlan(pool: Pool, look: { code: string; operatorId: string }): Promise<PlanSheet> {
  const { plan, ...sheet } = await showPlanOrRequest(pool, look)
  if (!plan) throw new DomainError('plan_not_found')
  return { plan, ...sheet }
}

/** Every plan there ever was, for a filter. */
export const listPlanNames = (db: Db) =>
  db.plan.findMany({
    orderBy: [{ sortOrder: 'asc' }, { code: 'asc' }],
    select: { code: true, name: true, nameEn: true, onSale: true },
  })
