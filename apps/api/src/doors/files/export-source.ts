import type { RowCount } from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import type { z } from 'zod'
import type { NameView } from '../../platform/sql/show-nickname.ts'
import type { Language } from '../problem.ts'
import { type FilterPhrase, type FilterPhrases, tellPhrases } from './export-filters.ts'
import type { ExportColumn, SoldName } from './sheet.ts'

const ROWS_AT_ONCE = 1000

/** Lends the connections for one page: each page may come from another server, since it begins after the last row. */
type Reader = <Result>(page: (pool: Pool) => Promise<Result>) => Promise<Result>
type Page<Row> = { items: Row[]; nextCursor: string | null }
type Paged = { sort?: string; limit: number; cursor?: string | undefined }
type Lines = { input: unknown; language: Language; names: NameView; soldName: SoldName }
type Source<Query extends Paged, Row> = {
  Query: z.ZodType<Query>
  columns: ExportColumn<Row>[]
  phrases: FilterPhrases<Omit<Query, keyof Paged>>
  list: (pool: Pool, query: Query, names: NameView) => Promise<Page<Row>>
  /** How long it is, as the list itself says; without it the list can never be long (docs/console.md). */
  count?: (pool: Pool, filter: Query) => Promise<RowCount>
}

const uncounted = async (): Promise<RowCount> => ({ count: 0, more: false })

/** A list as lines of a file: read page after page, so that no more than one is ever held. */
export function exportOf<Query extends Paged, Row>({
  Query,
  columns,
  phrases,
  list,
  count = uncounted,
}: Source<Query, Row>) {
  const phrasesOf = (input: unknown, language: Language) => {
    const query = Query.parse(input)
    return Object.values<FilterPhrase<Query> | null>(phrases).flatMap((say) => say?.(query, language) ?? [])
  }
  return {
    heads: (language: Language) => columns.map((column) => column[language]),
    /** What the conditions of its filter are called, whether they narrow it or not. */
    conditions: (input: unknown, language: Language) => phrasesOf(input, language).map(({ name }) => name),
    /** The filter as it was understood; throws for one that is none. */
    read: (input: unknown): Query => Query.parse(input),
    /** The filter in words, condition by condition. */
    tell: (input: unknown, language: Language): string[] => tellPhrases(phrasesOf(input, language), language),
    /** How many rows the list has, as far as it counts them. */
    count: (pool: Pool, input: unknown): Promise<RowCount> => count(pool, Query.parse(input)),
    lines: async function* (read: Reader, { input, language, names, soldName }: Lines) {
      const query = Query.parse(input)
      let cursor: string | null | undefined
      do {
        const asked = { ...query, limit: ROWS_AT_ONCE, cursor: cursor ?? undefined }
        const page: Page<Row> = await read((pool) => list(pool, asked, names))
        for (const row of page.items) yield columns.map(({ cell }) => cell(row, language, soldName))
        cursor = page.nextCursor
      } while (cursor !== null)
    },
  }
}
