import { type Database, type Db, type Prisma, uniqueViolation } from '@meridian/db'
import { askApproval } from '../approvals/ask-approval.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { judgePrice } from './judge-price.ts'
import { getSeen, type PlanAction, priceAfter, traceOf, writePlan } from './write-plan.ts'

export const planSubject = (code: string) => ({ type: 'plan', id: code })

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

/** A code that somebody else has taken is a verdict, not a fault. */
export async function takingCode<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw uniqueViolation(error) === null ? error : new DomainError('code_taken', { cause: error })
  }
}
