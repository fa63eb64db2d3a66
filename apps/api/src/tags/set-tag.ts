import type { NewTagSetting, TagChip, TaggedKind, TagSetting } from '@meridian/contracts'
import {
  type Connection,
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
import { type Actor, appendAuditPart, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { listTagsOf } from './list-tags.ts'
import { makeTag } from './manage-tags.ts'
import { withinTagLimits } from './tag-limits.ts'

const { sql } = Prisma

const uuidOf = (id: string): string | null =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : null

/** The one row of a thing: when it was made, and of whom a tag on it says something. */
const subjects: Readonly<Record<TaggedKind, (id: string) => Prisma.Sql>> = {
  order: (id) => sql`SELECT out_trade_no AS id, created_at, user_id FROM orders WHERE out_trade_no = ${id}`,
  // Who is being erased meanwhile is waited for, and bears none then.
  user: (id) => sql`
    SELECT id::text AS id, created_at, id AS user_id FROM users
    WHERE id = ${uuidOf(id)}::uuid AND erased_at IS NULL FOR KEY SHARE`,
  device: (id) => sql`
    SELECT serial_number AS id, created_at, NULL::uuid AS user_id FROM devices WHERE serial_number = ${id}`,
}

async function labelOf(db: Connection, id: string): Promise<string> {
  const [tag] = await execute(
    db,
    query('find-tag-label', sql`SELECT label FROM tags WHERE id = ${id}::bigint`, { label: column.text }),
  )
  if (!tag) throw new DomainError('not_found')
  return tag.label
}

/**
 * Sets a tag once, however often it is asked for. What is archived or merged at this moment is waited for and not set.
 * @throws DomainError not_found for a thing or a tag that is not there, changed_meanwhile for one that is archived,
 * invalid_request beyond ten
 */
async function setOn(
  db: Connection,
  { subject, id }: TagSetting,
  { operatorId, from }: Actor,
): Promise<void> {
  const { kind } = subject
  const entry = { operatorId, action: 'tag.set', subject: { type: kind, id: subject.id } }
  const after = { tag: await labelOf(db, id) }
  const [found] = await execute(
    db,
    statement({
      name: `set-tag-on-${kind}`,
      parts: [
        part('subject', [], subjects[kind](subject.id)),
        part('tag', [], sql`SELECT id FROM tags WHERE id = ${id}::bigint AND archived_at IS NULL FOR SHARE`),
        part(
          'tagged',
          ['subject', 'tag'],
          sql`INSERT INTO taggings (tag_id, subject_kind, subject_id, subject_created_at, user_id, operator_id)
              SELECT tag.id, ${kind}, subject.id, subject.created_at, subject.user_id, ${operatorId}::uuid FROM subject, tag
              ON CONFLICT DO NOTHING RETURNING tag_id`,
        ),
        appendAuditPart(reading(['tagged'], sql`tagged`), { ...entry, after }, from),
      ],
      select: reading(
        ['subject', 'tag'],
        sql`SELECT EXISTS (SELECT 1 FROM subject) AS "isThere", EXISTS (SELECT 1 FROM tag) AS "isInUse"`,
      ),
      rows: { isThere: column.boolean, isInUse: column.boolean },
    }),
  )
  if (!found?.isThere) throw new DomainError('not_found')
  if (!found.isInUse) throw new DomainError('changed_meanwhile')
}

/** Sets a tag, and answers all of the thing; `setOn` says what it throws. */
export async function setTag(pool: Pool, setting: TagSetting, actor: Actor): Promise<TagChip[]> {
  await withinTagLimits(() => setOn(pool, setting, actor))
  return listTagsOf(pool, setting.subject)
}

const findInUse = async (client: PoolClient, label: string): Promise<string | undefined> => {
  const [tag] = await execute(
    client,
    query(
      'find-tag-in-use',
      sql`SELECT id::text AS id FROM tags WHERE lower(label) = lower(${label}) AND archived_at IS NULL`,
      { id: column.text },
    ),
  )
  return tag?.id
}

/**
 * Sets the tag of this label, and makes it where none in use has it: whoever makes the same one at the same time gets
 * the same one.
 * @throws DomainError not_found for a thing that is not there, invalid_request beyond a limit
 */
export async function setNewTag(
  pool: Pool,
  { subject, label, color }: NewTagSetting,
  actor: Actor,
): Promise<TagChip[]> {
  const made = { label, color }
  await withinTagLimits(() =>
    inTransaction(pool, async (client) => {
      const id =
        (await findInUse(client, label)) ??
        (await makeTag(client, made, actor)) ??
        (await findInUse(client, label))
      if (!id) throw new DomainError('changed_meanwhile')
      await setOn(client, { subject, id }, actor)
    }),
  )
  return listTagsOf(pool, subject)
}

/** Takes a tag away, and answers those that are left; one that is not there stays away. */
export async function takeTag(
  pool: Pool,
  { subject, id }: TagSetting,
  { operatorId, from }: Actor,
): Promise<TagChip[]> {
  const entry = { operatorId, action: 'tag.take', subject: { type: subject.kind, id: subject.id } }
  const before = { tag: await labelOf(pool, id) }
  await execute(
    pool,
    query(
      'take-tag',
      sql`WITH taken AS (
          DELETE FROM taggings
          WHERE tag_id = ${id}::bigint AND subject_kind = ${subject.kind} AND subject_id = ${subject.id} RETURNING tag_id)
        ${appendAuditSql(sql`taken`, { ...entry, before }, from)}`,
    ),
  )
  return listTagsOf(pool, subject)
}

/** Takes every tag away that says something of somebody who is erased: their own and those of their orders. */
export async function eraseTags(client: PoolClient, userId: string): Promise<void> {
  await execute(client, query('erase-tags', sql`DELETE FROM taggings WHERE user_id = ${userId}::uuid`))
}
