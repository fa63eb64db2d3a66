import { isGuardedSetting, type SettingEdit, type SettingKey, settingShapes } from '@meridian/contracts'
import { type Database, type Db, Prisma } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { askApproval, hasSecondOwner } from '../approvals/approval-requests.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { enqueueJobSql, jobPayloadSql } from '../jobs/job-table.ts'
import { DomainError, findFieldErrors } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'

const { sql } = Prisma

function checkedValue({ key, value }: SettingEdit): Prisma.InputJsonValue {
  const shape = settingShapes[key]
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = findFieldErrors(shape, value).map(({ path, message }) => ({
    path: path ? `value.${path}` : 'value',
    message,
  }))
  throw new DomainError('invalid_request', { errors })
}

export type SettingStep = { key: SettingKey; version: number; value: Prisma.InputJsonValue }

/**
 * Gives a setting its next value, with its history.
 * @throws DomainError changed_meanwhile
 */
export async function applySetting(
  db: Db,
  { key, version, value }: SettingStep,
  operatorId: string,
): Promise<void> {
  const setting = await db.setting.findUnique({ where: { key, version } })
  if (!setting) throw new DomainError('changed_meanwhile')
  const { count } = await db.setting.updateMany({
    where: { key, version },
    data: { value, version: { increment: 1 }, updatedAt: await transactionTime(db) },
  })
  if (count === 0) throw new DomainError('changed_meanwhile')
  const before = setting.value ?? Prisma.JsonNull
  await db.settingChange.create({ data: { key, version: version + 1, before, after: value, operatorId } })
}

/** Tells that a guarded setting is to change, or did: each request anew, whatever alert of another is still open. */
export const alertThreshold = (
  db: Db,
  { key, id }: { key: SettingKey; id: string },
  detail: Prisma.InputJsonObject,
) => db.$queryRaw(raiseAlertSql('threshold_changed', `${key} #${id}`, detail))

const applyJob = (requestId: string) => jobPayloadSql('apply_setting', { requestId })

type Change = SettingStep & { before: Prisma.InputJsonValue | null }

/** A second owner decides; where there is none it takes effect after a day. Told at once in any case. */
async function askOwner(
  db: Db,
  { key, version, value, before }: Change,
  { operatorId, from }: Actor,
): Promise<void> {
  // What touches a body waits for a second owner, however long that takes.
  const dueInADay = key !== 'program_bounds' && !(await hasSecondOwner(db, operatorId))
  const { id, dueAt } = await askApproval(db, {
    kind: 'setting',
    subject: key,
    before: { version, value: before },
    after: { version: version + 1, value },
    operatorId,
    dueInADay,
  })
  const runAt = sql`${dueAt}::timestamptz`
  if (dueAt) await db.$queryRaw(sql`SELECT ${enqueueJobSql('apply_setting', applyJob(id), { runAt })} AS job`)
  await alertThreshold(db, { key, id }, { before, after: value, due: dueAt?.toISOString() ?? null })
  const entry = { operatorId, action: 'setting.request', subject: { type: 'setting', id: key } }
  await writeAudit(db, { ...entry, before: { version, value: before }, after: { value } }, from)
}

/**
 * Gives a setting another value, or an old one back; one that decides when a second person is needed waits for a
 * second owner.
 * @throws DomainError invalid_request outside its type and bounds, changed_meanwhile; account_too_new, already_waiting
 */
export async function changeSetting(
  database: Database,
  edit: SettingEdit,
  actor: Actor,
): Promise<'done' | 'waiting'> {
  const { key, version } = edit
  const value = checkedValue(edit)
  return database.$transaction(async (db) => {
    const setting = await db.setting.findUnique({ where: { key, version } })
    if (!setting) throw new DomainError('changed_meanwhile')
    if (isGuardedSetting(key)) {
      await askOwner(db, { key, version, value, before: setting.value }, actor)
      return 'waiting'
    }
    await applySetting(db, { key, version, value }, actor.operatorId)
    await writeAudit(
      db,
      {
        operatorId: actor.operatorId,
        action: 'setting.change',
        subject: { type: 'setting', id: key },
        before: { version, value: setting.value },
        after: { version: version + 1, value },
      },
      actor.from,
    )
    return 'done'
  })
}
