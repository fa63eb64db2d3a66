import type { SettingKey } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

/** An SQL expression for one setting, so that a story reads it in the statement it runs anyway. */
export const settingSql = (key: SettingKey): Prisma.Sql =>
  Prisma.sql`(SELECT value FROM settings WHERE key = ${key})`
