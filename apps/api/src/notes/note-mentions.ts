import { Colleague, MentionRow, type Mentions, type MentionsSeen } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { colleaguesSql, type NoteReader, noteTextSql, operatorNameSql } from './list-notes.ts'

const { sql } = Prisma

/** How many mentions are listed, and up to where those that were not seen are counted. */
const LISTED = 30
const COUNTED = 100

/**
 * The notes that name an operator, as a relation: `note_id`, `subject_kind`, `subject_id`, `author_id`, `at`, `seen_at`.
 * What was withdrawn mentions nobody.
 */
export const mentionsOfSql = (operatorId: string): Prisma.Sql => sql`
  SELECT m.note_id, n.subject_kind, n.subject_id, n.operator_id AS author_id, n.created_at AS at, m.seen_at
  FROM note_mentions m JOIN notes n ON n.id = m.note_id
  WHERE m.operator_id = ${operatorId}::uuid
    AND NOT EXISTS (SELECT 1 FROM note_withdrawals w WHERE w.note_id = m.note_id)`

/** How much of a note is told where it is not read whole. */
const BEGINNING_CHARACTERS = 140

/** The notes that name an operator and that they have not seen, with who wrote each and how it begins, as a relation. */
export const unseenMentionsSql = (operatorId: string): Prisma.Sql => sql`(
  SELECT mention.note_id, mention.subject_kind, mention.subject_id, mention.at,
    ${operatorNameSql(sql`mention.author_id`)} AS author, left(n.text, ${BEGINNING_CHARACTERS}) AS beginning
  FROM (${mentionsOfSql(operatorId)}) mention JOIN notes n ON n.id = mention.note_id
  WHERE mention.seen_at IS NULL)`

const listedSql = (reader: NoteReader): Prisma.Sql => sql`
  SELECT n.id::text, ${noteTextSql(reader)} AS text, ${operatorNameSql(sql`n.operator_id`)} AS author, n.created_at AS "createdAt",
    json_build_object('kind', n.subject_kind, 'id', n.subject_id) AS subject, mention.seen_at AS "seenAt"
  FROM (${mentionsOfSql(reader.operatorId)} ORDER BY m.note_id DESC LIMIT ${LISTED}) mention
    JOIN notes n ON n.id = mention.note_id LEFT JOIN note_withdrawals w ON w.note_id = n.id
  ORDER BY mention.note_id DESC`

/** The newest notes that name this operator, and how many they have not seen yet. */
export async function listMentions(pool: Pool, reader: NoteReader): Promise<Mentions> {
  const [items, counted] = await Promise.all([
    readLimited(pool, listedSql(reader), columnsOf(MentionRow)),
    execute(
      pool,
      query(
        'count-unseen-mentions',
        sql`SELECT count(*)::int AS unseen FROM (
          SELECT 1 FROM (${mentionsOfSql(reader.operatorId)}) mention WHERE seen_at IS NULL LIMIT ${COUNTED}) counted`,
        { unseen: column.integer },
      ),
    ),
  ])
  return { items, unseen: counted[0]?.unseen ?? 0 }
}

/** Counts a note that names this operator as seen, or all up to one; answers how many that were. The one owner of what was seen. */
export async function markMentionsSeen(
  pool: Pool,
  asked: MentionsSeen,
  { operatorId, from }: Actor,
): Promise<{ seen: number }> {
  const [id, which] = 'upTo' in asked ? [asked.upTo, sql`<=`] : [asked.id, sql`=`]
  const entry = { operatorId, action: 'note.see', subject: { type: 'note', id } }
  const [done] = await execute(
    pool,
    statement({
      name: 'see-mentions',
      parts: [
        part(
          'seen',
          [],
          sql`UPDATE note_mentions SET seen_at = business_now()
            WHERE operator_id = ${operatorId}::uuid AND note_id ${which} ${id}::bigint AND seen_at IS NULL RETURNING note_id`,
        ),
        part('audited', ['seen'], appendAuditSql(sql`(SELECT 1 FROM seen LIMIT 1) once`, entry, from)),
      ],
      select: reading(['seen'], sql`SELECT count(*)::int AS seen FROM seen`),
      rows: { seen: column.integer },
    }),
  )
  return { seen: done?.seen ?? 0 }
}

/** Whom a note can mention. */
export const listColleagues = (pool: Pool): Promise<Colleague[]> =>
  execute(
    pool,
    query(
      'list-colleagues',
      sql`SELECT id, name FROM (${colleaguesSql}) colleague ORDER BY lower(name), id LIMIT 200`,
      columnsOf(Colleague),
    ),
  )
