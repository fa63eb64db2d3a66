import { type FeedQuery, FeedRow, mayOperator, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import type { NoteReader } from '../../notes/list-notes.ts'
import {
  type Cursor,
  fromCursor,
  InstantKey,
  instantColumn,
  textColumn,
} from '../../platform/paging/keyset.ts'
import { readPage } from '../../platform/paging/read-page.ts'
import { columnsOf } from '../../platform/sql/columns-of.ts'
import { type FeedPart, feedParts } from './feed-parts.ts'

const { sql } = Prisma

/** A letter of the source, and the number or UUID that it knows the row by. */
const FeedKey = z.string().regex(/^[a-z](\d{20}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/)

const newest = {
  key: instantColumn(sql`at`),
  id: textColumn(sql`key`, FeedKey),
  descending: true,
}

/** The key of a row in the feed: as text, byte by byte, it sorts as the ids of its source do. */
const keySql = ({ letter, idType }: FeedPart): Prisma.Sql =>
  idType === 'bigint'
    ? sql`(${letter}::text || lpad(r.id::text, 20, '0')) COLLATE "C" AS key`
    : sql`(${letter}::text || r.id::text) COLLATE "C" AS key`

/** Only rows behind the cursor, said by the columns of the source's own index. */
function beyondSql({ letter, idType }: FeedPart, cursor: Cursor | null): Prisma.Sql {
  if (!cursor) return sql`TRUE`
  const { position, backwards } = cursor
  const [at, key] = position
  const [comparison, orAt] = backwards ? [sql`>`, sql`>=`] : [sql`<`, sql`<=`]
  const instant = sql`${at}::timestamptz`
  const [itsLetter, id] = [key.slice(0, 1), key.slice(1)]
  if (letter === itsLetter)
    return sql`(at, id) ${comparison} (${instant}, ${id}::${idType === 'bigint' ? sql`bigint` : sql`uuid`})`
  const comesLater = backwards ? letter > itsLetter : letter < itsLetter
  return comesLater ? sql`at ${orAt} ${instant}` : sql`at ${comparison} ${instant}`
}

type Asked = { userId: string; limit: number; cursor: Cursor | null; reader: NoteReader }

/** No more rows of a source than a page has, from where it begins; what they say is made of these alone. */
function sourceSql(part: FeedPart, { userId, limit, cursor, reader }: Asked): Prisma.Sql {
  const way = cursor?.backwards ? sql`ASC` : sql`DESC`
  return sql`(
    SELECT r.at, ${keySql(part)}, json_build_object('kind', ${part.kind}::text, ${part.says(reader)}) AS item FROM (
      SELECT * FROM (${part.rows(userId)}) everything WHERE ${beyondSql(part, cursor)}
      ORDER BY at ${way}, id ${way} LIMIT ${limit + 1}) r)`
}

/**
 * One page of everything that happened with a customer, the newest first, made of no more rows of each source than the
 * page has: its cost does not grow with its depth.
 * @throws DomainError invalid_request for a cursor that is not of a feed
 */
export async function listFeed(
  pool: Pool,
  { id: userId, kinds, ...asked }: FeedQuery,
  reader: NoteReader,
): Promise<TwoWayPage<FeedRow>> {
  const parts = feedParts.filter(
    ({ kind, needs }) =>
      (kinds.length === 0 || kinds.includes(kind)) && (!needs || mayOperator(reader.role, needs)),
  )
  if (parts.length === 0) return { items: [], nextCursor: null, previousCursor: null }
  const cursor = asked.cursor ? fromCursor(asked.cursor, InstantKey, FeedKey) : null
  const sources = parts.map((part) => sourceSql(part, { userId, limit: asked.limit, cursor, reader }))
  return readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(FeedRow) },
    ({ position, inOrder }) => sql`
      SELECT key AS id, at, item, ${position} FROM (${Prisma.join(sources, ' UNION ALL ')}) feed ${inOrder}`,
  )
}
