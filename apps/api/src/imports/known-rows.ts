import type { ImportKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { isErasedRowSql } from '../users/meet-imported.ts'

/** What stands for the name of a line whose person was erased: its keyed mark. */
export const erasedNameSql = (mac: Prisma.Sql): Prisma.Sql => Prisma.sql`('erased:' || ${mac})`

/**
 * Whether the row `alias` brings nothing any more, a condition: its line was taken over before, whoever was erased since,
 * or its person had their account erased.
 */
export const isKnownRowSql = (kind: ImportKind, alias: 'r' | 'e'): Prisma.Sql => {
  const row = Prisma.raw(alias)
  return Prisma.sql`(EXISTS (SELECT 1 FROM import_lines l
    WHERE l.kind = ${kind}::import_kind AND l.source = ${row}.source AND l.source_id IN (${row}.source_id, ${erasedNameSql(Prisma.sql`${row}.source_mac`)}))
    OR ${isErasedRowSql(alias)})`
}
