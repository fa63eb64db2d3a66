import { MOST_MERGED_TAGGINGS, type NewTag, TagColor, type TagEdit, type TagMerge } from '@meridian/contracts'
import { column, execute, oneOf, type Pool, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { type Actor, type AuditEntry, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { labelTaken, refusal, withinTagLimits } from './tag-limits.ts'

const { sql } = Prisma

type Change = Pick<AuditEntry, 'action' | 'before' | 'after'> & { id: string }

async function record(
  client: PoolClient,
  { id, ...change }: Change,
  { operatorId, from }: Actor,
): Promise<void> {
  const entry = { operatorId, subject: { type: 'tag', id }, ...change }
  await execute(client, query('audit-tag', appendAuditSql(sql`(SELECT 1) done`, entry, from)))
}

/**
 * Makes a tag, in a transaction under way; null where one in use has its label, whoever made it meanwhile.
 * @throws DomainError invalid_request beyond as many as may be in use
 */
export async function makeTag(client: PoolClient, tag: NewTag, actor: Actor): Promise<string | null> {
  const { label, color } = tag
  const [made] = await execute(
    client,
    query(
      'make-tag',
      sql`INSERT INTO tags (label, color) VALUES (${label}, ${color}) ON CONFLICT DO NOTHING RETURNING id::text AS id`,
      { id: column.text },
    ),
  )
  if (!made) return null
  await record(client, { id: made.id, action: 'tag.create', after: { label, color } }, actor)
  return made.id
}

/**
 * Makes a tag that nothing bears yet.
 * @throws DomainError invalid_request for a label that is taken, and beyond as many as may be in use
 */
export async function createTag(pool: Pool, tag: NewTag, actor: Actor): Promise<{ id: string }> {
  const id = await withinTagLimits(() => inTransaction(pool, (client) => makeTag(client, tag, actor)))
  if (id === null) throw labelTaken()
  return { id }
}

const lockedColumns = {
  id: column.text,
  label: column.text,
  color: oneOf(TagColor.options),
  isArchived: column.boolean,
}
type LockedTag = RowOf<typeof lockedColumns>

/** Tags that nobody sets or changes until the transaction ends. */
async function lockTags(client: PoolClient, ids: readonly string[]): Promise<Map<string, LockedTag>> {
  const rows = await execute(
    client,
    query(
      'lock-tags',
      sql`SELECT id::text AS id, label, color, archived_at IS NOT NULL AS "isArchived" FROM tags
        WHERE id = ANY(${[...ids]}::bigint[]) ORDER BY tags.id FOR UPDATE`,
      lockedColumns,
    ),
  )
  return new Map(rows.map((tag) => [tag.id, tag]))
}

/** Changes a tag that is there and locked. What `change` answers goes on record; nothing where it answers null. */
async function changeTag(
  pool: Pool,
  { id, actor }: { id: string; actor: Actor },
  change: (client: PoolClient, tag: LockedTag) => Promise<Omit<Change, 'id'> | null>,
): Promise<{ id: string }> {
  await withinTagLimits(() =>
    inTransaction(pool, async (client) => {
      const tag = (await lockTags(client, [id])).get(id)
      if (!tag) throw new DomainError('not_found')
      const changed = await change(client, tag)
      if (changed) await record(client, { id, ...changed }, actor)
    }),
  )
  return { id }
}

/**
 * Gives a tag another label, another colour, or both.
 * @throws DomainError not_found, invalid_request for a label that is taken
 */
export const editTag = (pool: Pool, { id, label, color }: TagEdit, actor: Actor): Promise<{ id: string }> =>
  changeTag(pool, { id, actor }, async (client, tag) => {
    if (tag.label === label && tag.color === color) return null
    await execute(
      client,
      query('edit-tag', sql`UPDATE tags SET label = ${label}, color = ${color} WHERE id = ${id}::bigint`),
    )
    return {
      action: 'tag.edit',
      before: { label: tag.label, color: tag.color },
      after: { label, color },
    }
  })

/** Offers a tag no longer; it stays where it was set. */
export const archiveTag = (pool: Pool, { id }: { id: string }, actor: Actor): Promise<{ id: string }> =>
  changeTag(pool, { id, actor }, async (client, { label, isArchived }) => {
    if (isArchived) return null
    const archived = sql`UPDATE tags SET archived_at = business_now() WHERE id = ${id}::bigint`
    await execute(client, query('archive-tag', archived))
    return { action: 'tag.archive', before: { label } }
  })

/**
 * Offers a tag again.
 * @throws DomainError not_found, invalid_request while another has its label or too many are in use
 */
export const restoreTag = (pool: Pool, { id }: { id: string }, actor: Actor): Promise<{ id: string }> =>
  changeTag(pool, { id, actor }, async (client, { label, isArchived }) => {
    if (!isArchived) return null
    const restored = sql`UPDATE tags SET archived_at = NULL WHERE id = ${id}::bigint`
    await execute(client, query('restore-tag', restored))
    return { action: 'tag.restore', after: { label } }
  })

const tooWidespread = () =>
  refusal('into', {
    zh: `使用超过 ${MOST_MERGED_TAGGINGS} 次的标签不能合并，可改为归档`,
    en: `a tag that was set more than ${MOST_MERGED_TAGGINGS} times cannot be merged: archive it instead`,
  })

/** How often a tag was set, counted no further than it may be merged. */
async function countTaggings(client: PoolClient, id: string): Promise<number> {
  const [counted] = await execute(
    client,
    query(
      'count-taggings',
      sql`SELECT count(*)::int AS count FROM (
        SELECT 1 FROM taggings WHERE tag_id = ${id}::bigint LIMIT ${MOST_MERGED_TAGGINGS + 1}) counted`,
      { count: column.integer },
    ),
  )
  return counted?.count ?? 0
}

/** Has whatever bears one tag bear another instead, once where it bears both, and takes the first away. */
async function moveTaggings(client: PoolClient, { id, into }: TagMerge): Promise<void> {
  const moved = sql`
    UPDATE taggings SET tag_id = ${into}::bigint
    WHERE tag_id = ${id}::bigint AND NOT EXISTS (
      SELECT 1 FROM taggings other
      WHERE other.subject_kind = taggings.subject_kind AND other.subject_id = taggings.subject_id
        AND other.tag_id = ${into}::bigint)`
  await execute(client, query('move-taggings', moved))
  await execute(client, query('drop-taggings', sql`DELETE FROM taggings WHERE tag_id = ${id}::bigint`))
  await execute(client, query('drop-tag', sql`DELETE FROM tags WHERE id = ${id}::bigint`))
}

/**
 * Merges a tag into another that is in use. Nobody sets either meanwhile.
 * @throws DomainError not_found, invalid_request into itself and for one that was set too often
 */
export async function mergeTag(pool: Pool, { id, into }: TagMerge, actor: Actor): Promise<{ id: string }> {
  if (id === into) throw refusal('into', { zh: '请选择另一个标签', en: 'choose another tag' })
  await inTransaction(pool, async (client) => {
    const tags = await lockTags(client, [id, into])
    const [from, to] = [tags.get(id), tags.get(into)]
    if (!from || !to || to.isArchived) throw new DomainError('not_found')
    const count = await countTaggings(client, id)
    if (count > MOST_MERGED_TAGGINGS) throw tooWidespread()
    await moveTaggings(client, { id, into })
    const before = { label: from.label, color: from.color }
    await record(client, { id, action: 'tag.merge', before, after: { into: to.label, count } }, actor)
  })
  return { id: into }
}
