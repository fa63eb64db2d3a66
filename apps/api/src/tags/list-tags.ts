import {
  MOST_TAGS_IN_USE,
  TAGGED_COUNT_LIMIT,
  TagChip,
  type TaggedKind,
  type TaggedSubject,
  type TagListQuery,
  TagRow,
  type TwoWayPage,
} from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { serialColumn, textColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { tagsOfSql } from './tagged-lists.ts'

const { sql } = Prisma

const chipSql = sql`id::text, label, color, archived_at IS NOT NULL AS "isArchived"`

/** How many of a kind bear a tag: exact up to the limit, so that a page of tags reads a bounded number of entries. */
const borneBySql = (kind: TaggedKind): Prisma.Sql => sql`(
  SELECT json_build_object('count', least(count(*), ${TAGGED_COUNT_LIMIT}::int), 'more', count(*) > ${TAGGED_COUNT_LIMIT}::int)
  FROM (SELECT 1 FROM taggings WHERE tag_id = tags.id AND subject_kind = ${kind} LIMIT ${TAGGED_COUNT_LIMIT + 1}) counted)`

const byLabel = {
  key: textColumn(sql`lower(label)`, z.string().max(64)),
  id: serialColumn(sql`tags.id`),
  descending: false,
}

/** One page of tags by their label: those in use, or those that are not offered any more. */
export const listTags = (pool: Pool, { isArchived, ...asked }: TagListQuery): Promise<TwoWayPage<TagRow>> =>
  readPage(
    pool,
    { sort: byLabel, asked, columns: columnsOf(TagRow) },
    ({ position, page }) => sql`
      SELECT ${chipSql}, created_at AS "createdAt", ${borneBySql('order')} AS orders, ${borneBySql('user')} AS users,
        ${borneBySql('device')} AS devices, ${position}
      FROM tags WHERE (archived_at IS NOT NULL) = ${isArchived} AND ${page}`,
  )

/** The tags that may be chosen: all that are in use, and to filter by as many of those that were archived last. */
export const listTagChoices = (pool: Pool): Promise<TagChip[]> =>
  execute(
    pool,
    query(
      'list-tag-choices',
      sql`SELECT ${chipSql} FROM (
          (SELECT * FROM tags WHERE archived_at IS NULL LIMIT ${MOST_TAGS_IN_USE})
          UNION ALL (SELECT * FROM tags WHERE archived_at IS NOT NULL ORDER BY archived_at DESC LIMIT ${MOST_TAGS_IN_USE})) tags
        ORDER BY archived_at IS NOT NULL, lower(label), id`,
      columnsOf(TagChip),
    ),
  )

/** The tags of one thing; none of a thing that is not there. */
export async function listTagsOf(pool: Pool, { kind, id }: TaggedSubject): Promise<TagChip[]> {
  const [row] = await execute(
    pool,
    query(
      'list-tags-of',
      sql`SELECT ${tagsOfSql(kind, sql`${id}`)} AS tags`,
      columnsOf(z.object({ tags: z.array(TagChip) })),
    ),
  )
  return row?.tags ?? []
}
