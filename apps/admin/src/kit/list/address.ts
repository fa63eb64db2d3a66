import {
  createLoader,
  createParser,
  createSerializer,
  type inferParserType,
  parseAsString,
  parseAsStringLiteral,
  type SearchParams,
} from 'nuqs/server'
import { dayAfter, isDay, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage, type RowsPerPage, USUAL_ROWS } from '../../ui/data-table/rows-per-page.ts'

type ParserMap = Parameters<typeof createSerializer>[0]

type Place = { limit: RowsPerPage; cursor: string | null }
type Paging = { limit: RowsPerPage; cursor?: string }

/** A day of Asia/Shanghai in the address; what is none counts as not there. */
export const day = createParser({
  parse: (text) => (isDay(text) ? text : null),
  serialize: (value: string) => value,
})

/** An amount of money in the address. */
export const fen = createParser({
  parse: (text) => (/^\d{1,12}$/.test(text) ? Number(text) : null),
  serialize: (amountFen: number) => String(amountFen),
})

/** A tag in the address, by the number of its row. */
export const tagId = createParser({
  parse: (text) => (/^\d{1,18}$/.test(text) ? text : null),
  serialize: (id: string) => id,
})

export const text = parseAsString
export const oneOf = parseAsStringLiteral

/** Two days, both inclusive, either of which may stay open. */
export const span = { from: day, to: day }

export const since = (first: string | null): Date | null => (first === null ? null : startOfDay(first))
/** The bound after a last day: the API's upper bounds are exclusive. */
export const until = (last: string | null): Date | null => (last === null ? null : startOfDay(dayAfter(last)))
export const spanOf = ({ from, to }: { from: string | null; to: string | null }) => ({
  from: since(from),
  to: until(to),
})

/** A text as the API takes it: without spaces around it, and no longer than it allows. */
export const typed = (written: string | null, longest = 64): string | null =>
  written?.trim().slice(0, longest) || null

/** The page of a list that the address asks for. */
export const pageOf = ({ limit, cursor }: Place): Paging => ({ limit, ...(cursor && { cursor }) })

/** The days and the search text that most lists have. */
export const search = { ...span, q: text }
export const searchOf = ({ q, ...days }: { from: string | null; to: string | null; q: string | null }) => ({
  ...spanOf(days),
  search: typed(q),
})

type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], null> }

/** What is set of some values. */
export function given<Values extends object>(values: Values): Given<Values>
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** What narrows no list: its order, its part of a desk, and the page. */
const besides = ['sort', 'view', 'limit', 'cursor']

/** How the list is ordered, where the address may say so. */
type Order<Params> = Pick<Params, Extract<keyof Params, 'sort'>>

/** The state of a list as it stands in the address, and what that asks the API for. */
export type Address<Params, Filter> = {
  parsers: ParserMap
  usualRows: RowsPerPage
  path(params?: Partial<Params>): string
  /** The same list with some of its parameters changed, from its first page. */
  pathWith(params: Params, changes: Partial<Params>): string
  /** Whether all of these are set just so. */
  has(params: Params, wanted: Partial<Params>): boolean
  /** Whether anything but these parameters narrows the list. */
  isNarrowedBeside(params: Params, names: readonly string[]): boolean
  load(search: Promise<SearchParams>): Promise<Params>
  /** Every parameter that narrows the list, as it is where nothing does. */
  noFilters: Partial<Params>
  filterOf(params: Params): Filter
  /** All pages in their order: what a file takes. */
  wholeOf(params: Params): Filter & Order<Params>
  /** Of another page than the address's own where its cursor is given; null for the first. */
  queryOf(params: Params, cursor?: string | null): Filter & Order<Params> & Paging
}

/** What the address of a list may say; days in it are of Asia/Shanghai, both inclusive. */
type Definition<Own extends ParserMap, Filter> = {
  path: string
  params: Own
  /** What narrows the list, in the words of the API. */
  filter(params: inferParserType<Own>): Filter
  /** How many rows a page has unless the address says otherwise. */
  usualRows?: RowsPerPage
}

export function listAddress<Own extends ParserMap, Filter>(
  definition: Definition<Own, Filter>,
): Address<inferParserType<Own> & Place, Filter>
export function listAddress({
  path,
  params: own,
  filter: filterOf,
  usualRows = USUAL_ROWS,
}: Definition<ParserMap, object>): Address<inferParserType<ParserMap>, object> {
  const parsers = { ...own, limit: parseAsRowsPerPage.withDefault(usualRows), cursor: parseAsString }
  const serialize = createSerializer<ParserMap>(parsers)
  const loadParams = createLoader<ParserMap>(parsers)
  const filters = Object.keys(own).filter((key) => !besides.includes(key))
  const wholeOf = (params: inferParserType<ParserMap>) => ({
    ...filterOf(params),
    ...('sort' in own && { sort: params['sort'] }),
  })
  return {
    parsers,
    usualRows,
    path: (params = {}) => serialize(path, params),
    pathWith: (params, changes) => serialize(path, { ...params, ...changes, cursor: null }),
    has: (params, wanted) => Object.entries(wanted).every(([key, value]) => params[key] === value),
    isNarrowedBeside: (params, names) => filters.some((key) => !names.includes(key) && params[key] !== null),
    load: (search) => loadParams(search),
    noFilters: Object.fromEntries(filters.map((key) => [key, null])),
    filterOf,
    wholeOf,
    queryOf: (params, cursor = params['cursor']) => ({
      ...wholeOf(params),
      ...pageOf({ limit: params['limit'], cursor }),
    }),
  }
}

/** What the address of a list says. */
export type ParamsOf<Of extends { load: (search: Promise<SearchParams>) => Promise<unknown> }> = Awaited<
  ReturnType<Of['load']>
>
