import { DifferenceKind, type DifferenceListQuery, DifferenceState } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'

/** The desk shows days, or differences of all days; which, and where in the list, stands in the address. */
export const deskParsers = {
  view: parseAsStringLiteral(['days', 'differences']).withDefault('days'),
  state: parseAsStringLiteral(DifferenceState.options),
  kind: parseAsStringLiteral(DifferenceKind.options),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type DeskParams = inferParserType<typeof deskParsers>

export const dayListQueryOf = ({ limit, cursor }: Pick<DeskParams, 'limit' | 'cursor'>) => ({
  limit,
  ...(cursor && { cursor }),
})

export const differenceListQueryOf = (
  { state, kind, limit, cursor }: Pick<DeskParams, 'state' | 'kind' | 'limit' | 'cursor'>,
  date?: string,
): DifferenceListQuery => ({
  limit,
  ...(date && { date }),
  ...(state && { state }),
  ...(kind && { kind }),
  ...(cursor && { cursor }),
})
