import {
  type DiagnosisDesk,
  DiagnosisDraft,
  DiagnosisDraftContent,
  DiagnosisVersionHead,
  defaultProgramBounds,
  ProgramBounds,
} from '@meridian/contracts'
import { execute, json, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { listWaiting } from '../approvals/list-waiting.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { settingSql } from '../settings/read-settings.ts'

const diagnosisVersionHeadColumns = columnsOf(DiagnosisVersionHead)

const historyLength = 100

const headColumns = Prisma.sql`
  v.version, v.based_on AS "basedOn", v.note, v.published_at AS "publishedAt", p.email AS "publishedBy",
  jsonb_array_length(v.content -> 'programs') AS programs`

/** What is parsed where it is read. */
const stored = json(z.unknown())
const draftColumns = { ...columnsOf(DiagnosisDraft.omit({ content: true })), content: stored }

const listPublished = (pool: Pool) =>
  execute(
    pool,
    query(
      'list-published-diagnoses',
      Prisma.sql`
      SELECT ${headColumns} FROM diagnosis_versions v LEFT JOIN operators p ON p.id = v.published_by
      WHERE v.state = 'published' ORDER BY v.version DESC LIMIT ${historyLength}`,
      diagnosisVersionHeadColumns,
    ),
  )

async function findDraft(pool: Pool): Promise<DiagnosisDesk['draft']> {
  const [draft] = await execute(
    pool,
    query(
      'find-diagnosis-draft',
      Prisma.sql`
      SELECT v.version, v.based_on AS "basedOn", v.revision, v.note, v.content, o.email AS "createdBy",
        v.updated_at AS "updatedAt"
      FROM diagnosis_versions v LEFT JOIN operators o ON o.id = v.created_by WHERE v.state = 'draft'`,
      draftColumns,
    ),
  )
  return draft ? { ...draft, content: DiagnosisDraftContent.parse(draft.content) } : null
}

/**
 * What one published version holds.
 * @throws DomainError not_found
 */
export async function getPublished(pool: Pool, version: number): Promise<DiagnosisDraftContent> {
  const [row] = await execute(
    pool,
    query(
      'get-published-diagnosis',
      Prisma.sql`SELECT content FROM diagnosis_versions WHERE version = ${version} AND state = 'published'`,
      { content: stored },
    ),
  )
  if (!row) throw new DomainError('not_found')
  return DiagnosisDraftContent.parse(row.content)
}

async function readBounds(pool: Pool): Promise<ProgramBounds> {
  const [row] = await execute(
    pool,
    query('read-program-bounds', Prisma.sql`SELECT ${settingSql('program_bounds')} AS bounds`, {
      bounds: stored,
    }),
  )
  return ProgramBounds.parse(row?.bounds ?? defaultProgramBounds)
}

/** The configuration as operators work on it: what is published, what is being written, what was before. */
export async function showDesk(pool: Pool, operatorId: string): Promise<DiagnosisDesk> {
  const [history, draft, [waiting = null], bounds] = await Promise.all([
    listPublished(pool),
    findDraft(pool),
    listWaiting(pool, { kind: 'diagnosis', operatorId }),
    readBounds(pool),
  ])
  const [published] = history
  if (!published) throw new Error('no diagnosis configuration is published')
  const content = await getPublished(pool, published.version)
  return { published: { ...published, content }, draft, history, waiting, bounds }
}
