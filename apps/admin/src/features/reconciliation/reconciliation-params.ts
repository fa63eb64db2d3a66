import { DifferenceKind, type DifferenceListQuery, DifferenceState } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'

/** The desk shows days, or differences of all days; which, and where in the list, stands in the address. */
export const deskParsers = {
  view: parseAsStringLiteral(['days', 'differences']).withDefault('days'),
  state: parseAsStringLiteral(DifferenceState.options),
  kind: parseAsStringLiteral(DifferenceKind.options),
  cursor: parseAsString,
}

export type DeskParams = inferParserType<typeof deskParsers>

const ROWS_PER_PAGE = 20

export const dayListQueryOf = ({ cursor }: Pick<DeskParams, 'cursor'>) => ({
  limit: ROWS_PER_PAGE,
  ...(cursor && { cursor }),
})

export const differenceListQueryOf = (
  { state, kind, cursor }: Pick<DeskParams, 'state' | 'kind' | 'cursor'>,
  date?: string,
): DifferenceListQuery => ({
  limit: ROWS_PER_PAGE,
  ...(date && { date }),
  ...(state && { state }),
  ...(kind && { kind }),
  ...(cursor && { cursor }),
})
