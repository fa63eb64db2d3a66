import type { NewPlan, PlanEdit, PlanPricing, PlanText } from '@meridian/contracts'
import { type Database, type Db, uniqueViolation } from '@meridian/db'
import type { Editor } from '../audit/editor.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'

const subjectOf = (code: string) => ({ type: 'plan', id: code })

const textOf = (plan: PlanText): PlanText => ({
  name: plan.name,
  description: plan.description,
  durationDays: plan.durationDays,
  features: plan.features,
  badge: plan.badge,
  sortOrder: plan.sortOrder,
  onSale: plan.onSale,
})

/** Somebody else's change since the editor looked is not overwritten. */
async function getSeen(db: Db, { code, updatedAt }: { code: string; updatedAt: Date }) {
  const plan = await db.plan.findUnique({ where: { code } })
  if (!plan) throw new DomainError('plan_not_found')
  if (plan.updatedAt.getTime() !== updatedAt.getTime()) throw new DomainError('changed_meanwhile')
  return plan
}

/** Strictly after what it was, so that it always tells two changes apart. */
const after = (time: Date) => new Date(Math.max(Date.now(), time.getTime() + 1))

/**
 * Adds a plan; its code never changes.
 * @throws DomainError code_taken
 */
export async function createPlan(database: Database, plan: NewPlan, editor: Editor): Promise<void> {
  const { operatorId, from } = editor
  try {
    await database.$transaction(async (db) => {
      await db.plan.create({ data: plan })
      const act = { operatorId, action: 'plan.create', subject: subjectOf(plan.code) }
      await writeAudit(db, { ...act, after: plan }, from)
    })
  } catch (error) {
    throw uniqueViolation(error) === null ? error : new DomainError('code_taken', { cause: error })
  }
}

/**
 * Changes what a plan is called and what it gives; orders keep what was agreed.
 * @throws DomainError plan_not_found, changed_meanwhile
 */
export async function editPlan(database: Database, edit: PlanEdit, editor: Editor): Promise<void> {
  const { code, updatedAt } = edit
  await database.$transaction(async (db) => {
    const before = await getSeen(db, edit)
    const { count } = await db.plan.updateMany({
      where: { code, updatedAt },
      data: { ...textOf(edit), updatedAt: after(updatedAt) },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
    const act = { operatorId: editor.operatorId, action: 'plan.edit', subject: subjectOf(code) }
    await writeAudit(db, { ...act, before: textOf(before), after: textOf(edit) }, editor.from)
  })
}

/**
 * Changes what a plan costs, from the next purchase on.
 * @throws DomainError plan_not_found, changed_meanwhile
 */
export async function changePrice(
  database: Database,
  { code, updatedAt, priceFen, listPriceFen }: PlanPricing,
  { operatorId, from }: Editor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const before = await getSeen(db, { code, updatedAt })
    const { count } = await db.plan.updateMany({
      where: { code, updatedAt },
      data: { priceFen, listPriceFen, updatedAt: after(updatedAt) },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
    if (priceFen !== before.priceFen)
      await db.planPriceChange.create({
        data: { planCode: code, fromFen: before.priceFen, toFen: priceFen, operatorId },
      })
    await writeAudit(
      db,
      {
        operatorId,
        action: 'plan.change_price',
        subject: subjectOf(code),
        before: { priceFen: before.priceFen, listPriceFen: before.listPriceFen },
        after: { priceFen, listPriceFen },
      },
      from,
    )
  })
}
