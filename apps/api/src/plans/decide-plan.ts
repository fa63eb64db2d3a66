import { type ApprovalVerdict, NewPlan, PlanEdit, PlanPricing } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { z } from 'zod'
import { raiseAlertSql } from '../alerts/raise-alert.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { planSubject, takingCode } from './edit-plan.ts'
import { requireFloor } from './judge-price.ts'
import { getSeen, type PlanAction, priceAfter, writePlan } from './write-plan.ts'

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
