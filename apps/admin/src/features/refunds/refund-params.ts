import { type RefundFilter, type RefundListQuery, RefundState } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const refundParsers = {
  status: parseAsStringLiteral(RefundState.options),
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(['newest', 'oldest']).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type RefundParams = inferParserType<typeof refundParsers>
export type RefundListState = ListState<RefundParams>

/** What the address asks the API for. */
export function refundFilterOf(params: RefundParams): RefundFilter {
  const search = params.q?.trim().slice(0, 64)
  return {
    ...(params.status && { status: params.status }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(search && { search }),
  }
}

export const refundListQueryOf = (params: RefundParams): RefundListQuery => ({
  ...refundFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = { status: null, from: null, to: null, q: null } as const
