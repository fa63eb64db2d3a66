import { type DeviceFilter, type DeviceListQuery, DeviceSort, DeviceState } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const deviceListParsers = {
  state: parseAsStringLiteral(DeviceState.options),
  origin: parseAsStringLiteral(['inventory', 'phone']),
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(DeviceSort.options).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type DeviceListParams = inferParserType<typeof deviceListParsers>
export type DeviceListState = ListState<DeviceListParams>

/** What the address asks the API for. */
export function deviceFilterOf(params: DeviceListParams): DeviceFilter {
  const search = params.q?.trim().slice(0, 64)
  return {
    ...(params.state && { state: params.state }),
    ...(params.origin && { inventory: params.origin === 'inventory' }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(search && { search }),
  }
}

export const deviceListQueryOf = (params: DeviceListParams): DeviceListQuery => ({
  ...deviceFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = {
  state: null,
  origin: null,
  from: null,
  to: null,
  q: null,
} as const satisfies Partial<DeviceListParams>
