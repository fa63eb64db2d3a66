import { type SettingEdit, settingShapes } from '@meridian/contracts'
import { type Database, Prisma } from '@meridian/db'
import type { Editor } from '../audit/editor.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { findFaults } from '../find-faults.ts'

function checkedValue({ key, value }: SettingEdit): Prisma.InputJsonValue {
  const shape = settingShapes[key]
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = findFaults(shape, value).map(({ path, message }) => ({
    path: path ? `value.${path}` : 'value',
    message,
  }))
  throw new DomainError('invalid_request', { errors })
}

/**
 * Gives a setting another value, or an old one back.
 * @throws DomainError invalid_request outside its type and bounds, changed_meanwhile
 */
export async function changeSetting(
  database: Database,
  edit: SettingEdit,
  { operatorId, from }: Editor,
): Promise<void> {
  const { key, version } = edit
  const value = checkedValue(edit)
  await database.$transaction(async (db) => {
    const setting = await db.setting.findUnique({ where: { key, version } })
    if (!setting) throw new DomainError('changed_meanwhile')
    const { count } = await db.setting.updateMany({
      where: { key, version },
      data: { value, version: { increment: 1 }, updatedAt: new Date() },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
    const before = setting.value ?? Prisma.JsonNull
    await db.settingChange.create({ data: { key, version: version + 1, before, after: value, operatorId } })
    await writeAudit(
      db,
      {
        operatorId,
        action: 'setting.change',
        subject: { type: 'setting', id: key },
        before: { version, value: setting.value },
        after: { version: version + 1, value },
      },
      from,
    )
  })
}
