import { type FeedQuery, FeedRow, mayOperator, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import type { NoteReader } from '../../notes/list-notes.ts'
import { instantColumn, textColumn } from '../../platform/paging/keyset.ts'
import { readPage } from '../../platform/paging/read-page.ts'
import { columnsOf } from '../../platform/sql/columns-of.ts'
import { feedParts } from './feed-parts.ts'

const { sql } = Prisma

/** A letter of the source, and the number or UUID that it knows the row by. */
const FeedKey = z.string().regex(/^[a-z](\d{20}|[0-9a-f-]{36})$/)

const newest = {
  key: instantColumn(sql`at`),
  id: textColumn(sql`key`, FeedKey),
  descending: true,
}

/**
 * One page of everything that happened with a customer, the newest first. Each source gives no more rows than the page
 * has, from where the page begins, and the page is made of these: its cost does not grow with its depth.
 */
export function listFeed(
  pool: Pool,
  { id, kinds, ...asked }: FeedQuery,
  reader: NoteReader,
): Promise<TwoWayPage<FeedRow>> {
  const parts = feedParts.filter(
    ({ kind, needs }) =>
      (kinds.length === 0 || kinds.includes(kind)) && (!needs || mayOperator(reader.role, needs)),
  )
  if (parts.length === 0) return Promise.resolve({ items: [], nextCursor: null, previousCursor: null })
  return readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(FeedRow) },
    ({ position, page, inOrder }) => {
      const sources = parts.map(
        ({ rows }) => sql`(SELECT at, key, item FROM (${rows(id, reader)}) source WHERE ${page})`,
      )
      return sql`
      SELECT key AS id, at, item, ${position} FROM (${Prisma.join(sources, ' UNION ALL ')}) feed ${inOrder}`
    },
  )
}
