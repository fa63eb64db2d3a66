import { type ApprovalVerdict, NewPlan, PlanEdit, PlanPricing } from '@meridian/contracts'
import { type Database, type Db, type Prisma, uniqueViolation } from '@meridian/db'
import { z } from 'zod'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { askApproval, decideApproval } from '../approvals/approval-requests.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { judgePrice, requireFloor } from './judge-price.ts'
import { getSeen, type PlanAction, priceAfter, traceOf, writePlan } from './write-plan.ts'

const planSubject = (code: string) => ({ type: 'plan', id: code })

/** The act as it is kept while it waits. */
const keptAct = ({ act, input }: PlanAction): Prisma.InputJsonObject =>
  act === 'create' ? { act, ...input } : { act, ...input, updatedAt: input.updatedAt.toISOString() }

type Seen = Awaited<ReturnType<typeof getSeen>>

/** A price far from that of yesterday waits for a second person. */
async function askSecondPerson(
  db: Db,
  { wanted, before }: { wanted: PlanAction; before: Seen },
  { operatorId, from }: Actor,
) {
  const { code } = wanted.input
  const price = priceAfter(wanted, before)
  const was = before && { priceFen: before.priceFen, durationDays: before.durationDays }
  const kept = { ...keptAct(wanted), ...price }
  await askApproval(db, { kind: 'plan', subject: code, before: was ?? {}, after: kept, operatorId })
  const entry = { operatorId, action: 'plan.request', subject: planSubject(code) }
  await writeAudit(db, { ...entry, ...(was && { before: was }), after: kept }, from)
}

const isOther = (one: object, other: object) => JSON.stringify(one) !== JSON.stringify(other)

/**
 * Adds a plan (its code never changes), or changes what it gives or costs, from the next purchase on. A price per day
 * below the floor is refused; one more than half away from that of 24 hours ago waits for a second person.
 * @throws DomainError plan_not_found, changed_meanwhile, code_taken; price_below_floor, account_too_new, already_waiting
 */
export async function changePlan(
  database: Database,
  wanted: PlanAction,
  actor: Actor,
): Promise<'done' | 'waiting'> {
  const { operatorId, from } = actor
  const { code } = wanted.input
  return takingCode(async () =>
    database.$transaction(async (db) => {
      const before = await getSeen(db, wanted)
      const price = priceAfter(wanted, before)
      const was = before && { priceFen: before.priceFen, durationDays: before.durationDays }
      if ((!was || isOther(price, was)) && (await judgePrice(db, { code, ...price }))) {
        if (wanted.act === 'create' && (await db.plan.findUnique({ where: { code } })))
          throw new DomainError('code_taken')
        await askSecondPerson(db, { wanted, before }, actor)
        return 'waiting'
      }
      await writePlan(db, wanted, { before, operatorId })
      const entry = { operatorId, action: `plan.${wanted.act}`, subject: planSubject(code) }
      await writeAudit(db, { ...entry, ...traceOf(wanted, before) }, from)
      return 'done'
    }),
  )
}

const itemTaken = {
  path: 'virtualProductId',
  message: { zh: '该道具 ID 已用于其他套餐', en: 'Another plan uses this item ID' },
}

/** A code that somebody else has taken is a verdict, not a fault; so is the item of another plan. */
async function takingCode<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const taken = uniqueViolation(error)
    if (taken === null) throw error
    const errors = taken.includes('virtual_product_id') ? { errors: [itemTaken] } : {}
    throw new DomainError('code_taken', { cause: error, ...errors })
  }
}

const seenAt = { updatedAt: z.coerce.date() }
const Kept = z.discriminatedUnion('act', [
  NewPlan.extend({ act: z.literal('create') }),
  PlanEdit.extend({ act: z.literal('edit'), ...seenAt }),
  PlanPricing.extend({ act: z.literal('change_price'), ...seenAt }),
])

function readAct(kept: unknown): PlanAction {
  const read = Kept.parse(kept)
  if (read.act === 'create') return { act: 'create', input: NewPlan.parse(read) }
  return read.act === 'edit' ? { act: 'edit', input: read } : { act: 'change_price', input: read }
}

/** What was asked for is written, in the name of who asked, and told. */
async function writeRequested(db: Db, kept: unknown, requestedBy: string): Promise<void> {
  const wanted = readAct(kept)
  const before = await getSeen(db, wanted)
  const price = priceAfter(wanted, before)
  await requireFloor(db, price)
  await writePlan(db, wanted, { before, operatorId: requestedBy })
  const was = before && { priceFen: before.priceFen, durationDays: before.durationDays }
  await db.$queryRaw(raiseAlertSql('price_changed_far', wanted.input.code, { before: was, after: price }))
}

/**
 * A second person approves or rejects a price far from that of the day before; whoever asked takes it back. Answers
 * the code of the plan.
 * @throws DomainError as decideApproval; changed_meanwhile when the plan is not the one that was looked at, code_taken,
 *   price_below_floor
 */
export function decidePlan(
  database: Database,
  verdict: ApprovalVerdict,
  { operatorId, from }: Actor,
): Promise<string> {
  return takingCode(() =>
    database.$transaction(async (db) => {
      const decided = await decideApproval(db, { ...verdict, kind: 'plan', operatorId })
      const { subject: code, requestedBy, outcome } = decided
      if (outcome === 'approved') await writeRequested(db, decided.after, requestedBy)
      const names = { approved: 'approve', rejected: 'reject', withdrawn: 'withdraw' } as const
      const entry = { operatorId, action: `plan.${names[outcome]}`, subject: planSubject(code) }
      const before = z.record(z.string(), z.json()).parse(decided.before)
      const after = z.record(z.string(), z.json()).parse(decided.after)
      await writeAudit(db, { ...entry, before, after: { ...after, requestedBy } }, from)
      return code
    }),
  )
}
