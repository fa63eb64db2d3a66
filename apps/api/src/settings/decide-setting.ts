import { type ApprovalVerdict, SettingKey } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { z } from 'zod'
import { decideApproval, elapseApproval } from '../approvals/approval-requests.ts'
import { type Actor, type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { alertThreshold, applySetting } from './change-setting.ts'

const Kept = z.object({ version: z.int(), value: z.json() })

type Requested = { id: string; subject: string; before: unknown; after: unknown; requestedBy: string }

const readRequest = ({ subject, before, after }: Omit<Requested, 'id'>) => ({
  key: SettingKey.parse(subject),
  before: Kept.parse(before),
  after: Kept.parse(after),
})

/** What was asked for takes effect, in the name of who asked. */
async function applyRequested(db: Db, requested: Requested): Promise<void> {
  const { key, before, after } = readRequest(requested)
  await applySetting(db, { key, version: before.version, value: after.value ?? '' }, requested.requestedBy)
  await alertThreshold(db, { key, id: requested.id }, { before: before.value, after: after.value, due: null })
}

const nowhere: RequestMeta = { address: '', userAgent: '', requestId: '' }

/**
 * A second owner approves or rejects a change of a setting; whoever asked takes it back.
 * @throws DomainError as decideApproval
 */
export async function decideSetting(
  database: Database,
  verdict: ApprovalVerdict,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const decided = await decideApproval(db, { ...verdict, kind: 'setting', operatorId, byOwner: true })
    const { key, before, after } = readRequest(decided)
    if (decided.outcome === 'approved') await applyRequested(db, { ...decided, id: verdict.id })
    const names = { approved: 'approve', rejected: 'reject', withdrawn: 'withdraw' } as const
    const action = `setting.${names[decided.outcome]}`
    const entry = { operatorId, action, subject: { type: 'setting', id: key } }
    await writeAudit(db, { ...entry, before, after: { ...after, requestedBy: decided.requestedBy } }, from)
  })
}

/** The clock lets a change take effect that no second owner was there to decide; once, and not before it is due. */
export async function applyDueSetting(database: Database, requestId: string): Promise<void> {
  await database.$transaction(async (db) => {
    const due = await elapseApproval(db, { id: requestId, kind: 'setting' })
    if (!due) return
    await applyRequested(db, { ...due, id: requestId })
    const { key, before, after } = readRequest(due)
    const entry = { operatorId: due.requestedBy, action: 'setting.take_effect' }
    await writeAudit(db, { ...entry, subject: { type: 'setting', id: key }, before, after }, nowhere)
  })
}
