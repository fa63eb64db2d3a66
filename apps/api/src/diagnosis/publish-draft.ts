import {
  type ApprovalVerdict,
  type DiagnosisChange,
  DiagnosisDraftContent,
  DiagnosisDraftReference,
  defaultProgramBounds,
  diffDiagnosis,
  ProgramBounds,
  tellDiagnosisFault,
  validateDiagnosis,
} from '@meridian/contracts'
import { type Database, type Db, Prisma } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { askApproval, decideApproval } from '../approvals/approval-requests.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError, maxFieldErrors } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import { settingSql } from '../settings/read-settings.ts'
import { diagnosisSubject, getDraft } from './edit-draft.ts'

const { sql } = Prisma

async function readBounds(db: Db): Promise<ProgramBounds> {
  const [row] = await db.$queryRaw<{ bounds: unknown }[]>(
    sql`SELECT ${settingSql('program_bounds')} AS bounds`,
  )
  return ProgramBounds.parse(row?.bounds ?? defaultProgramBounds)
}

async function requireValid(db: Db, content: DiagnosisDraftContent): Promise<void> {
  const bounds = await readBounds(db)
  const faults = validateDiagnosis(content, bounds)
  if (faults.length === 0) return
  const errors = faults.slice(0, maxFieldErrors).map((fault) => ({
    path: fault.path,
    message: tellDiagnosisFault(fault, content, bounds),
  }))
  throw new DomainError('invalid_request', { errors })
}

type Version = { version: number; content: unknown }

const contentOf = ({ content }: Version) => DiagnosisDraftContent.parse(content)

async function getNewest(db: Db): Promise<Version & { basedOn: number | null; withdraws: number | null }> {
  const newest = await db.diagnosisVersion.findFirst({
    where: { state: 'published' },
    orderBy: { version: 'desc' },
  })
  if (!newest) throw new DomainError('not_found')
  return newest
}

/** What a publication did to programs is told: it reaches bodies. */
async function raiseProgramsWidened(
  db: Db,
  version: number,
  changes: readonly DiagnosisChange[],
): Promise<void> {
  const programs = changes.filter(({ what, kind }) => what === 'program' && kind !== 'moved')
  if (programs.length === 0) return
  const detail = { programs: programs.map(({ code, kind }) => `${code}: ${kind}`) }
  await db.$queryRaw(raiseAlertSql('program_published', `v${version}`, detail))
}

/**
 * Asks for the draft to be what phones read from now on: a second person approves it.
 * @throws DomainError changed_meanwhile, invalid_request for a draft that is not valid; account_too_new, already_waiting
 */
export async function askPublication(
  database: Database,
  reference: DiagnosisDraftReference,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const draft = await getDraft(db, reference)
    await requireValid(db, contentOf(draft))
    const { version } = reference
    const newest = await getNewest(db)
    const changes = diffDiagnosis(contentOf(newest), contentOf(draft))
    const [before, after] = [{ version: newest.version }, { ...reference, changes }]
    await askApproval(db, { kind: 'diagnosis', subject: String(version), before, after, operatorId })
    const entry = { operatorId, action: 'diagnosis.request', subject: diagnosisSubject(version) }
    await writeAudit(db, { ...entry, after: { basedOn: draft.basedOn, note: draft.note, changes } }, from)
  })
}

async function publish(db: Db, kept: unknown, by: { requestedBy: string; approvedBy: string }) {
  const reference = DiagnosisDraftReference.parse(kept)
  const draft = await getDraft(db, reference)
  const newest = await getNewest(db)
  // What was withdrawn meanwhile has a higher number: this draft would reach no phone.
  if (newest.version > reference.version) throw new DomainError('changed_meanwhile')
  await requireValid(db, contentOf(draft))
  const changes = diffDiagnosis(contentOf(newest), contentOf(draft))
  const { count } = await db.diagnosisVersion.updateMany({
    where: { ...reference, state: 'draft' },
    data: {
      state: 'published',
      publishedAt: await transactionTime(db),
      publishedBy: by.requestedBy,
      approvedBy: by.approvedBy,
    },
  })
  if (count === 0) throw new DomainError('changed_meanwhile')
  await raiseProgramsWidened(db, reference.version, changes)
}

/**
 * A second person publishes the draft or rejects it; whoever asked takes it back.
 * @throws DomainError as decideApproval; changed_meanwhile when the draft was saved since, invalid_request
 */
export async function decidePublication(
  database: Database,
  verdict: ApprovalVerdict,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const decided = await decideApproval(db, { ...verdict, kind: 'diagnosis', operatorId })
    const { subject, requestedBy, outcome } = decided
    if (outcome === 'approved') await publish(db, decided.after, { requestedBy, approvedBy: operatorId })
    const names = { approved: 'publish', rejected: 'reject', withdrawn: 'take_back' } as const
    const entry = { operatorId, action: `diagnosis.${names[outcome]}` }
    await writeAudit(
      db,
      { ...entry, subject: diagnosisSubject(Number(subject)), after: { requestedBy } },
      from,
    )
  })
}

/** The newest version before `version` that nobody withdrew and that keeps the bounds of today. */
async function findBefore(db: Db, version: number): Promise<Version> {
  const all = await db.diagnosisVersion.findMany({
    where: { state: 'published' },
    orderBy: { version: 'desc' },
  })
  const withdrawn = new Set(all.map(({ withdraws }) => withdraws))
  const bounds = await readBounds(db)
  const found = all.find(
    (one) =>
      one.version < version &&
      one.withdraws === null &&
      !withdrawn.has(one.version) &&
      validateDiagnosis(contentOf(one), bounds).length === 0,
  )
  if (!found) throw new DomainError('not_found')
  return found
}

/**
 * Takes the published version back at once: phones read the version before it again, as a new one. One person may.
 * @throws DomainError changed_meanwhile when another is published by now, or a draft is being written; not_found
 */
export async function withdrawPublished(
  database: Database,
  published: number,
  { operatorId, from }: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const newest = await getNewest(db)
    if (newest.version !== published) throw new DomainError('changed_meanwhile')
    const withdraws = newest.withdraws === null ? newest.version : (newest.basedOn ?? newest.version)
    const before = await findBefore(db, withdraws)
    const { _max } = await db.diagnosisVersion.aggregate({ _max: { version: true } })
    const version = (_max.version ?? 0) + 1
    const now = await transactionTime(db)
    await db.diagnosisVersion.create({
      data: {
        ...{ version, basedOn: before.version, content: contentOf(before), withdraws, state: 'published' },
        ...{ createdBy: operatorId, publishedBy: operatorId, publishedAt: now },
      },
    })
    await raiseProgramsWidened(db, version, diffDiagnosis(contentOf(newest), contentOf(before)))
    const entry = { operatorId, action: 'diagnosis.withdraw', subject: diagnosisSubject(version) }
    await writeAudit(db, { ...entry, after: { withdraws, basedOn: before.version } }, from)
  })
}
