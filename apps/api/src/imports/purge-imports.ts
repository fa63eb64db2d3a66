import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/business-time.ts'

const { sql } = Prisma

/** Imports that wrote nothing and that nobody waits for any more: unfinished ones, and what a check came to. */
const isOver = sql`(i.state IN ('waiting', 'checking') AND i.created_at < ${keptSinceSql('import_uploads')}
  OR i.state IN ('checked', 'faulty') AND i.created_at < ${keptSinceSql('import_checks')})`

/** Pieces of files that are read, or that nobody will read. */
export const purgeImportPiecesSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM import_pieces WHERE (import_id, seq) IN (
    SELECT p.import_id, p.seq FROM import_pieces p JOIN imports i ON i.id = p.import_id
    WHERE i.state NOT IN ('waiting', 'checking') OR ${isOver} LIMIT ${limit})
  RETURNING 1 AS gone`

/**
 * Lines that a dry run or a process that was killed has left behind. An import that was cut off while it was written, so
 * long ago that its file is not kept any more, is over with what it wrote: the same file begins a new one, which writes what
 * is missing.
 */
export const purgeImportRowsSql = (limit: number): Prisma.Sql => sql`
  WITH given_up AS (
    UPDATE imports i SET state = 'done', ended_at = business_now()
    WHERE i.state = 'writing' AND i.created_at < ${keptSinceSql('import_uploads')})
  DELETE FROM import_rows WHERE (import_id, line) IN (
    SELECT r.import_id, r.line FROM import_rows r JOIN imports i ON i.id = r.import_id
    WHERE i.state NOT IN ('checking', 'writing') OR ${isOver}
      OR i.state = 'writing' AND i.created_at < ${keptSinceSql('import_uploads')} LIMIT ${limit})
  RETURNING 1 AS gone`

/** The imports themselves, of which nothing else is left by then. */
export const purgeImportsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM imports WHERE id IN (SELECT i.id FROM imports i WHERE ${isOver} LIMIT ${limit})
  RETURNING 1 AS gone`
