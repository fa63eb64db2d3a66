import type { AuditFilter, AuditListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString } from 'nuqs/server'
import { dayAfter, startOfDay } from '../../format.ts'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'
import { parseAsDay } from '../lists/parse-as-day.ts'
import type { ListState } from '../lists/use-list-state.ts'

/** The state of the list, as it stands in the address: days are of Asia/Shanghai, both inclusive. */
export const auditListParsers = {
  operator: parseAsString,
  action: parseAsString,
  from: parseAsDay,
  to: parseAsDay,
  q: parseAsString,
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}
export type AuditListParams = inferParserType<typeof auditListParsers>
export type AuditListState = ListState<AuditListParams>

/** What the address asks the API for. */
export function auditFilterOf({ operator, action, from, to, q }: AuditListParams): AuditFilter {
  const search = q?.trim().slice(0, 128)
  const who = operator?.trim().slice(0, 254)
  const what = action?.trim().slice(0, 64)
  return {
    ...(who && { operator: who }),
    ...(what && { action: what }),
    ...(from && { from: startOfDay(from) }),
    ...(to && { to: startOfDay(dayAfter(to)) }),
    ...(search && { search }),
  }
}

export const auditListQueryOf = (params: AuditListParams): AuditListQuery => ({
  ...auditFilterOf(params),
  limit: params.limit,
  ...(params.cursor && { cursor: params.cursor }),
})

export const noFilters = { operator: null, action: null, from: null, to: null, q: null } as const
