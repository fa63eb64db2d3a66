import { SettingChangeRow, type SettingKey, SettingRow, settingKeys } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'

/** An SQL expression for one setting, so that a story reads it in the statement it runs anyway. */
export const settingSql = (key: SettingKey): Prisma.Sql =>
  Prisma.sql`(SELECT value FROM settings WHERE key = ${key})`

const settingChangeColumns = columnsOf(SettingChangeRow)

/** Every setting with who changed it last, in the order of the page. */
export async function listSettings(pool: Pool): Promise<SettingRow[]> {
  const rows = await execute(
    pool,
    query(
      'list-settings',
      Prisma.sql`
      SELECT s.key, s.value, s.version, s.updated_at AS "updatedAt", o.email AS "updatedBy"
      FROM settings s
      LEFT JOIN setting_changes c ON c.key = s.key AND c.version = s.version
      LEFT JOIN operators o ON o.id = c.operator_id
      WHERE s.key = ANY(${settingKeys})`,
    ),
  )
  return SettingRow.array()
    .parse(rows)
    .toSorted((one, other) => settingKeys.indexOf(one.key) - settingKeys.indexOf(other.key))
}

/** How a setting moved, newest first. */
export const listSettingChanges = (pool: Pool, key: SettingKey): Promise<SettingChangeRow[]> =>
  execute(
    pool,
    query(
      'list-setting-changes',
      Prisma.sql`
      SELECT c.version, c.before, c.after, o.email AS "operatorEmail", c.changed_at AS "changedAt"
      FROM setting_changes c LEFT JOIN operators o ON o.id = c.operator_id
      WHERE c.key = ${key} ORDER BY c.version DESC LIMIT 100`,
      settingChangeColumns,
    ),
  )
