import {
  type NoteListQuery,
  NoteRow,
  noteWithdrawalMinutes,
  type OperatorRole,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { serialColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

/** Who reads notes. */
export type NoteReader = { operatorId: string; role: OperatorRole }

/** The name that an operator goes by: their own, or their address. */
export const operatorNameSql = (id: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT coalesce(nullif(p.name, ''), p.email) FROM operators p WHERE p.id = ${id})`

/** Everybody who works with the console now: `id`, and the `name` that mentions them alone. Namesakes go by their address. */
export const colleaguesSql = sql`
  SELECT id, CASE WHEN name = '' OR count(*) OVER (PARTITION BY lower(name)) > 1 THEN email ELSE name END AS name
  FROM operators WHERE disabled_at IS NULL`

/** What a note says to this reader: what was withdrawn stays for owners. Needs `n`, a note, and `w`, its withdrawal. */
export const noteTextSql = ({ role }: NoteReader): Prisma.Sql =>
  role === 'owner' ? sql`n.text` : sql`CASE WHEN w.id IS NULL THEN n.text END`

export const noteColumns = columnsOf(NoteRow)

/** The columns of a row, of `n`, a note, and `w`, its withdrawal. */
export const noteColumnsSql = (reader: NoteReader): Prisma.Sql => sql`
  n.id::text, ${noteTextSql(reader)} AS text, ${operatorNameSql(sql`n.operator_id`)} AS author, n.created_at AS "createdAt",
  w.withdrawn_at AS "withdrawnAt",
  CASE WHEN n.operator_id = ${reader.operatorId}::uuid AND w.id IS NULL AND n.text IS NOT NULL
    THEN n.created_at + ${noteWithdrawalMinutes} * interval '1 minute' END AS "withdrawableUntil",
  ARRAY(SELECT m.name FROM note_mentions m WHERE m.note_id = n.id ORDER BY 1) AS mentions`

const id = serialColumn(sql`n.id`)
/** A note's id says when it was written, so that one index gives the notes of a thing in their order. */
const newest = { key: id, id, descending: true }

/** One page of the notes on one thing, the newest first. */
export const listNotes = (
  pool: Pool,
  { subject, ...asked }: NoteListQuery,
  reader: NoteReader,
): Promise<TwoWayPage<NoteRow>> =>
  readPage(
    pool,
    { sort: newest, asked, columns: noteColumns },
    ({ position, page }) => sql`
      SELECT ${noteColumnsSql(reader)}, ${position} FROM notes n LEFT JOIN note_withdrawals w ON w.note_id = n.id
      WHERE n.subject_kind = ${subject.kind} AND n.subject_id = ${subject.id} AND ${page}`,
  )
