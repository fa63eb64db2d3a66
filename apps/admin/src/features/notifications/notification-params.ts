import {
  type NotificationFilter,
  type NotificationListQuery,
  NotificationOutcome,
  type RejectedListQuery,
} from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the page, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const notificationParsers = {
  view: parseAsStringLiteral(['inbox', 'rejected']).withDefault('inbox'),
  outcome: parseAsStringLiteral(NotificationOutcome.options),
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  sort: parseAsStringLiteral(['newest', 'oldest']).withDefault('newest'),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type NotificationParams = inferParserType<typeof notificationParsers>
export type NotificationListState = ListState<NotificationParams>

export function notificationFilterOf(params: NotificationParams): NotificationFilter {
  const search = params.q?.trim().slice(0, 64)
  return {
    ...(params.outcome && { outcome: params.outcome }),
    ...(params.from && { from: startOfDay(params.from) }),
    ...(params.to && { to: startOfDay(dayAfter(params.to)) }),
    ...(search && { search }),
  }
}

export const notificationListQueryOf = (params: NotificationParams): NotificationListQuery => ({
  ...notificationFilterOf(params),
  sort: params.sort,
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const rejectedQueryOf = ({ limit, cursor, from, to }: NotificationParams): RejectedListQuery => ({
  limit,
  ...(from && { from: startOfDay(from) }),
  ...(to && { to: startOfDay(dayAfter(to)) }),
  ...(cursor && { cursor }),
})

export const noFilters = { outcome: null, from: null, to: null, q: null } as const
