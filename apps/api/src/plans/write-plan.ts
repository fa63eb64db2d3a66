import type { NewPlan, PlanEdit, PlanPricing, PlanText, Price } from '@meridian/contracts'
import type { Db, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'

/** What an editor wants of a plan. */
export type PlanAction =
  | { act: 'create'; input: NewPlan }
  | { act: 'edit'; input: PlanEdit }
  | { act: 'change_price'; input: PlanPricing }

const textOf = (plan: PlanText): PlanText => ({
  name: plan.name,
  description: plan.description,
  durationDays: plan.durationDays,
  features: plan.features,
  badge: plan.badge,
  sortOrder: plan.sortOrder,
  onSale: plan.onSale,
})

type English = { nameEn: string | null; descriptionEn: string | null; badgeEn: string | null }

type Stored = PlanText &
  English &
  Price & { listPriceFen: number | null; virtualProductId: string | null; updatedAt: Date }

/**
 * The plan as the editor saw it, null for a new one: somebody else's change since then is not overwritten.
 * @throws DomainError plan_not_found, changed_meanwhile
 */
export async function getSeen(db: Db, { act, input }: PlanAction): Promise<Stored | null> {
  if (act === 'create') return null
  const plan = await db.plan.findUnique({ where: { code: input.code } })
  if (!plan) throw new DomainError('plan_not_found')
  if (plan.updatedAt.getTime() !== input.updatedAt.getTime()) throw new DomainError('changed_meanwhile')
  return plan
}

/** What the plan will cost. */
export function priceAfter({ act, input }: PlanAction, before: Stored | null): Price {
  const { priceFen, durationDays } = { priceFen: 0, durationDays: 1, ...before }
  if (act === 'create') return { priceFen: input.priceFen, durationDays: input.durationDays }
  return act === 'edit'
    ? { priceFen, durationDays: input.durationDays }
    : { priceFen: input.priceFen, durationDays }
}

/** Strictly after what it was, so that it always tells two changes apart. */
const after = (time: Date, now: Date) => new Date(Math.max(now.getTime(), time.getTime() + 1))

type Edited = PlanText & Partial<{ [Part in keyof English | 'virtualProductId']: string | null | undefined }>

/** Without a word about the item or the English it stays as it is. */
const editedOf = (input: Edited) => ({
  ...textOf(input),
  ...(input.nameEn !== undefined && { nameEn: input.nameEn }),
  ...(input.descriptionEn !== undefined && { descriptionEn: input.descriptionEn }),
  ...(input.badgeEn !== undefined && { badgeEn: input.badgeEn }),
  ...(input.virtualProductId !== undefined && { virtualProductId: input.virtualProductId }),
})

const changesOf = ({ act, input }: Exclude<PlanAction, { act: 'create' }>) =>
  act === 'edit' ? editedOf(input) : { priceFen: input.priceFen, listPriceFen: input.listPriceFen }

/** What the audit log says of the act: the values it is about, as they were and as they are. */
export function traceOf(wanted: PlanAction, before: Stored | null) {
  if (wanted.act === 'create' || !before)
    return { after: { ...wanted.input } satisfies Prisma.InputJsonObject }
  const was =
    wanted.act === 'edit'
      ? editedOf(before)
      : { priceFen: before.priceFen, listPriceFen: before.listPriceFen }
  return { before: was, after: changesOf(wanted) }
}

type Writing = { before: Stored | null; operatorId: string }

/**
 * Writes the act, and the step of price or duration into the history; orders keep what was agreed.
 * @throws DomainError changed_meanwhile
 */
export async function writePlan(db: Db, wanted: PlanAction, { before, operatorId }: Writing): Promise<void> {
  const { code } = wanted.input
  if (wanted.act === 'create' || !before) {
    if (wanted.act === 'create') await db.plan.create({ data: wanted.input })
  } else {
    const { count } = await db.plan.updateMany({
      where: { code, updatedAt: before.updatedAt },
      data: { ...changesOf(wanted), updatedAt: after(before.updatedAt, await transactionTime(db)) },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
  }
  const { priceFen: toFen, durationDays: toDays } = priceAfter(wanted, before)
  const [fromFen, fromDays] = [before?.priceFen ?? null, before?.durationDays ?? null]
  if (toFen !== fromFen || toDays !== fromDays)
    await db.planPriceChange.create({
      data: { planCode: code, fromFen, toFen, fromDays, toDays, operatorId },
    })
}
