import { OperatorRole, type StaffListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'

export const STAFF_PER_PAGE = 50

/** The state of the list, as it stands in the address. */
export const staffListParsers = {
  role: parseAsStringLiteral(OperatorRole.options),
  state: parseAsStringLiteral(['enabled', 'disabled'] as const),
  limit: parseAsRowsPerPage.withDefault(STAFF_PER_PAGE),
  cursor: parseAsString,
}
export type StaffListParams = inferParserType<typeof staffListParsers>

/** What the address asks the API for. */
export const staffListQueryOf = ({ role, state, limit, cursor }: StaffListParams): StaffListQuery => ({
  limit,
  ...(role && { role }),
  ...(state && { state }),
  ...(cursor && { cursor }),
})
