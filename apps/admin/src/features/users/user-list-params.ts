import { type UserFilter, type UserListQuery, UserSort, UserState } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const userListParsers = {
  state: parseAsStringLiteral(UserState.options),
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(UserSort.options).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type UserListParams = inferParserType<typeof userListParsers>
export type UserListState = ListState<UserListParams>

/** What the address asks the API for. */
export function userFilterOf(params: UserListParams): UserFilter {
  const search = params.q?.trim().slice(0, 64)
  return {
    ...(params.state && { state: params.state }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(search && { search }),
  }
}

export const userListQueryOf = (params: UserListParams): UserListQuery => ({
  ...userFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = {
  state: null,
  from: null,
  to: null,
  q: null,
} as const satisfies Partial<UserListParams>
