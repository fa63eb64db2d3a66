import {
  type SubscriptionFilter,
  type SubscriptionListQuery,
  SubscriptionSort,
  SubscriptionState,
} from '@meridian/contracts'
import { type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const subscriptionListParsers = {
  state: parseAsStringLiteral(SubscriptionState.options),
  days_left: parseAsInteger,
  from: parseAsDay,
  to: parseAsDay,
  fresh_from: parseAsDay,
  fresh_to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(SubscriptionSort.options).withDefault('soonest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type SubscriptionListParams = inferParserType<typeof subscriptionListParsers>
export type SubscriptionListState = ListState<SubscriptionListParams>

/** What the address asks the API for. */
export function subscriptionFilterOf(params: SubscriptionListParams): SubscriptionFilter {
  const search = params.q?.trim().slice(0, 64)
  const daysLeft = params.days_left
  return {
    ...(params.state && { state: params.state }),
    ...(daysLeft !== null && daysLeft >= 1 && daysLeft <= 3660 && { daysLeft }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(params.fresh_from && { freshFrom: startOfDay(params.fresh_from) }),
    ...(params.fresh_to && { freshTo: startOfDay(dayAfter(params.fresh_to)) }),
    ...(search && { search }),
  }
}

export const subscriptionListQueryOf = (params: SubscriptionListParams): SubscriptionListQuery => ({
  ...subscriptionFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = {
  state: null,
  days_left: null,
  from: null,
  to: null,
  fresh_from: null,
  fresh_to: null,
  q: null,
} as const satisfies Partial<SubscriptionListParams>
