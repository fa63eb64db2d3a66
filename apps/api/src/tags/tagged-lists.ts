import type { TaggedKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { z } from 'zod'
import { byAge, instantColumn, textColumn } from '../platform/paging/keyset.ts'

const { sql } = Prisma

/**
 * What bears a tag, as a relation that drives the list of its kind: `tagged_at`, when the subject was made, and
 * `tagged_id`, what its page is addressed with. One index gives them in the order of `taggedSorts`.
 */
export const taggedSql = (kind: TaggedKind, tagId: string): Prisma.Sql => sql`(
  SELECT subject_created_at AS tagged_at, subject_id AS tagged_id FROM taggings
  WHERE tag_id = ${tagId}::bigint AND subject_kind = ${kind}) tagged`

/** The order of a list by its age, when it is read out of what bears a tag. */
export const taggedSorts = byAge({
  key: instantColumn(sql`tagged_at`),
  id: textColumn(sql`tagged_id`, z.string().regex(/^[\w-]{1,64}$/)),
})

/** The tags of a subject, as a column that is an array of `TagChip`. */
export const tagsOfSql = (kind: TaggedKind, id: Prisma.Sql): Prisma.Sql => sql`(
  SELECT coalesce(json_agg(json_build_object(
    'id', tags.id::text, 'label', tags.label, 'color', tags.color, 'isArchived', tags.archived_at IS NOT NULL)
    ORDER BY tags.archived_at IS NOT NULL, lower(tags.label), tags.id), '[]')
  FROM taggings JOIN tags ON tags.id = taggings.tag_id
  WHERE taggings.subject_kind = ${kind} AND taggings.subject_id = ${id})`
