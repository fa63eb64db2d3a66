import {
  DiagnosisDraftContent,
  type DiagnosisDraftReference,
  type DiagnosisDraftSave,
  diffDiagnosis,
} from '@meridian/contracts'
import { type Database, type Db, uniqueViolation } from '@meridian/db'
import { requireNothingWaits } from '../approvals/approval-requests.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'

export const diagnosisSubject = (version: number) => ({ type: 'diagnosis_version', id: String(version) })

/** Somebody else's draft, or a save since the editor looked, is not overwritten. */
export async function getDraft(db: Db, { version, revision }: DiagnosisDraftReference) {
  const draft = await db.diagnosisVersion.findUnique({ where: { version, revision, state: 'draft' } })
  if (!draft) throw new DomainError('changed_meanwhile')
  return draft
}

/**
 * Starts a draft from a published version: the newest to carry on, an older one to go back to it.
 * @throws DomainError not_found, changed_meanwhile where there is a draft already
 */
export async function startDraft(database: Database, basedOn: number, actor: Actor): Promise<void> {
  const { operatorId, from } = actor
  try {
    await database.$transaction(async (db) => {
      const base = await db.diagnosisVersion.findUnique({ where: { version: basedOn, state: 'published' } })
      if (!base) throw new DomainError('not_found')
      const { _max } = await db.diagnosisVersion.aggregate({ _max: { version: true } })
      const version = (_max.version ?? 0) + 1
      const content = DiagnosisDraftContent.parse(base.content)
      await db.diagnosisVersion.create({ data: { version, basedOn, content, createdBy: operatorId } })
      const entry = { operatorId, action: 'diagnosis.start_draft', subject: diagnosisSubject(version) }
      await writeAudit(db, { ...entry, after: { basedOn } }, from)
    })
  } catch (error) {
    throw uniqueViolation(error) === null ? error : new DomainError('changed_meanwhile', { cause: error })
  }
}

/**
 * Saves the draft as it is, valid or not.
 * @throws DomainError changed_meanwhile
 */
export async function saveDraft(database: Database, save: DiagnosisDraftSave, actor: Actor): Promise<void> {
  const { version, revision, content, note } = save
  await database.$transaction(async (db) => {
    const before = await getDraft(db, save)
    const { count } = await db.diagnosisVersion.updateMany({
      where: { version, revision, state: 'draft' },
      data: { content, note, revision: { increment: 1 }, updatedAt: await transactionTime(db) },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
    const changes = diffDiagnosis(DiagnosisDraftContent.parse(before.content), content)
    const entry = {
      operatorId: actor.operatorId,
      action: 'diagnosis.save_draft',
      subject: diagnosisSubject(version),
    }
    await writeAudit(
      db,
      { ...entry, before: { revision, note: before.note }, after: { revision: revision + 1, note, changes } },
      actor.from,
    )
  })
}

/**
 * Throws the draft away; what is published stays.
 * @throws DomainError changed_meanwhile; already_waiting while its publication waits for a second person
 */
export async function discardDraft(
  database: Database,
  draft: DiagnosisDraftReference,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const before = await getDraft(db, draft)
    await requireNothingWaits(db, { kind: 'diagnosis', subject: String(draft.version) })
    const { count } = await db.diagnosisVersion.deleteMany({ where: { ...draft, state: 'draft' } })
    if (count === 0) throw new DomainError('changed_meanwhile')
    const entry = { operatorId, action: 'diagnosis.discard_draft', subject: diagnosisSubject(draft.version) }
    await writeAudit(db, { ...entry, before: { content: before.content } }, from)
  })
}
