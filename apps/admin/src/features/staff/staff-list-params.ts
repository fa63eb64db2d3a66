import { OperatorRole, type StaffListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'

const STAFF_PER_PAGE = 50

/** The state of the list, as it stands in the address. */
export const staffListParsers = {
  role: parseAsStringLiteral(OperatorRole.options),
  state: parseAsStringLiteral(['enabled', 'disabled'] as const),
  cursor: parseAsString,
}
export type StaffListParams = inferParserType<typeof staffListParsers>

/** What the address asks the API for. */
export const staffListQueryOf = ({ role, state, cursor }: StaffListParams): StaffListQuery => ({
  limit: STAFF_PER_PAGE,
  ...(role && { role }),
  ...(state && { state }),
  ...(cursor && { cursor }),
})
