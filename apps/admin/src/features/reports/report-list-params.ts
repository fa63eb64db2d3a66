import { type ReportFilter, ReportKind, type ReportListQuery, ReportSort } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const reportListParsers = {
  kind: parseAsStringLiteral(ReportKind.options),
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(ReportSort.options).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type ReportListParams = inferParserType<typeof reportListParsers>
export type ReportListState = ListState<ReportListParams>

/** What the address asks the API for. */
export function reportFilterOf({ kind, from, to, q }: ReportListParams): ReportFilter {
  const search = q?.trim().slice(0, 64)
  return {
    ...(kind && { kind }),
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: startOfDay(dayAfter(to)) }),
    ...(search && { search }),
  }
}

export const reportListQueryOf = (params: ReportListParams): ReportListQuery => ({
  ...reportFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = { kind: null, from: null, to: null, q: null } as const
