import type { PlanItem } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { type ItemTask, MiniProgramError, type MiniProgramReason } from '@meridian/payments'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

type Told = { published: ItemTask; uploaded: ItemTask }

/**
 * How the platform knows an item: as published first, else as uploaded. It tells of its last tasks alone, so that an
 * item it does not tell of may be published all the same (virtual payment §3.6).
 */
export function decideItem(productId: string, { published, uploaded }: Told): Omit<PlanItem, 'code'> {
  const inTask = ({ items }: ItemTask) => items.find(({ id }) => id === productId)
  const [publication, upload] = [inTask(published), inTask(uploaded)]
  const priceFen = upload?.priceFen ?? publication?.priceFen ?? null
  const known = { productId, priceFen }
  if (publication?.state === 'done' || publication?.state === 'exists')
    return { ...known, state: 'published' }
  const state = publication?.state ?? upload?.state
  if (state === undefined) return { ...known, state: 'not_listed' }
  if (state === 'running') return { ...known, state: 'publishing' }
  return { ...known, state: state === 'failed' ? 'failed' : 'uploaded' }
}

const passing: readonly MiniProgramReason[] = ['unreachable', 'timeout']

const told = async (task: Promise<ItemTask>): Promise<ItemTask> => {
  try {
    return await task
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    const code = passing.includes(error.reason) ? 'payment_platform_timeout' : 'payment_platform_error'
    throw new DomainError(code, { cause: error })
  }
}

const itemsOfPlans = (pool: Pool) =>
  execute(
    pool,
    query(
      'list-plan-items',
      Prisma.sql`
      SELECT code, virtual_product_id AS "productId" FROM plans WHERE virtual_product_id IS NOT NULL ORDER BY sort_order, code`,
      { code: column.text, productId: column.text },
    ),
  )

/**
 * What the platform says of the items that plans are sold as: two calls, whenever somebody asks, and none by itself.
 * @throws DomainError payment_not_configured, payment_platform_error, payment_platform_timeout
 */
export async function checkItems({ virtual, database }: Services): Promise<PlanItem[]> {
  if (!virtual) throw new DomainError('payment_not_configured')
  const plans = await itemsOfPlans(database.pool)
  if (plans.length === 0) return []
  const [published, uploaded] = await Promise.all([
    told(virtual.publishedItems()),
    told(virtual.uploadedItems()),
  ])
  return plans.map(({ code, productId }) => ({ code, ...decideItem(productId, { published, uploaded }) }))
}
