import { type NewNote, type NoteRow, noteWithdrawalMinutes } from '@meridian/contracts'
import {
  column,
  execute,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  reading,
  statement,
} from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { colleaguesSql, type NoteReader, noteColumns, noteColumnsSql } from './list-notes.ts'
import { auditedSubject, subjectRowSql } from './subject-of-note.ts'

const { sql } = Prisma

/** Who writes, as what, and from where. */
export type NoteAuthor = Actor & NoteReader

const readNote = async (pool: Pool, id: string, reader: NoteReader): Promise<NoteRow | undefined> => {
  const [note] = await execute(
    pool,
    query(
      `show-note-${reader.role === 'owner' ? 'whole' : 'kept'}`,
      sql`SELECT ${noteColumnsSql(reader)} FROM notes n LEFT JOIN note_withdrawals w ON w.note_id = n.id
        WHERE n.id = ${id}::bigint`,
      noteColumns,
    ),
  )
  return note
}

const shown = async (pool: Pool, id: string, reader: NoteReader): Promise<NoteRow> => {
  const note = await readNote(pool, id, reader)
  if (!note) throw new DomainError('not_found')
  return note
}

/**
 * Writes a note on a thing and tells whom it names. The audit log says that one was written and where, never what it says.
 * @throws DomainError not_found for a thing that is not there
 */
export async function writeNote(
  pool: Pool,
  { subject, text, mentions }: NewNote,
  author: NoteAuthor,
): Promise<NoteRow> {
  const { operatorId, from } = author
  const named = [...new Set(mentions)]
  const entry = { operatorId, action: 'note.write', subject: auditedSubject(subject) }
  const [written] = await execute(
    pool,
    statement({
      name: `write-note-on-${subject.kind}`,
      parts: [
        part('subject', [], subjectRowSql(subject)),
        part(
          'written',
          ['subject'],
          sql`INSERT INTO notes (subject_kind, subject_id, user_id, operator_id, text)
            SELECT ${subject.kind}, ${subject.id}, user_id, ${operatorId}::uuid, ${text} FROM subject RETURNING id`,
        ),
        part(
          'mentioned',
          ['written'],
          sql`INSERT INTO note_mentions (note_id, operator_id, name)
            SELECT written.id, colleague.id, colleague.name FROM written, (${colleaguesSql}) colleague
            WHERE colleague.id = ANY(${named}::uuid[])`,
        ),
        part('audited', ['written'], appendAuditSql(sql`written`, entry, from)),
      ],
      select: reading(['written'], sql`SELECT id::text AS id FROM written`),
      rows: { id: column.text },
    }),
  )
  if (!written) throw new DomainError('not_found')
  return shown(pool, written.id, author)
}

/**
 * Takes back what its author wrote some minutes ago at most. A row says that it was taken back; the text stays, and
 * owners read it.
 * @throws DomainError not_found, forbidden for somebody else's, note_kept once it is too late or done already
 */
export async function withdrawNote(pool: Pool, id: string, author: NoteAuthor): Promise<NoteRow> {
  const { operatorId, from } = author
  const entry = { operatorId, action: 'note.withdraw', subject: { type: 'note', id } }
  const [outcome] = await execute(
    pool,
    statement({
      name: 'withdraw-note',
      parts: [
        part('note', [], sql`SELECT id, operator_id, created_at FROM notes WHERE id = ${id}::bigint`),
        part(
          'withdrawn',
          ['note'],
          sql`INSERT INTO note_withdrawals (note_id) SELECT id FROM note
            WHERE operator_id = ${operatorId}::uuid AND created_at > business_now() - ${noteWithdrawalMinutes} * interval '1 minute'
            ON CONFLICT (note_id) DO NOTHING RETURNING note_id`,
        ),
        part('audited', ['withdrawn'], appendAuditSql(sql`withdrawn`, entry, from)),
      ],
      select: reading(
        ['note', 'withdrawn'],
        sql`SELECT note.operator_id = ${operatorId}::uuid AS own, EXISTS (SELECT 1 FROM withdrawn) AS done FROM note`,
      ),
      rows: { own: column.boolean, done: column.boolean },
    }),
  )
  if (!outcome) throw new DomainError('not_found')
  if (!outcome.own) throw new DomainError('forbidden')
  if (!outcome.done) throw new DomainError('note_kept')
  return shown(pool, id, author)
}

/** Takes away what notes say of somebody who is erased; that they were written, by whom and when stays. */
export async function eraseNotes(client: PoolClient, userId: string): Promise<void> {
  const erased = sql`UPDATE notes SET text = NULL WHERE user_id = ${userId}::uuid AND text IS NOT NULL`
  await execute(client, query('erase-notes', erased))
}
