import type { AlertListQuery, ParkedListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'

const ROWS_PER_PAGE = 20

/** Which part of the desk, as it stands in the address. */
export const deskViewParsers = {
  view: parseAsStringLiteral(['parked', 'alerts', 'left', 'resolved']).withDefault('parked'),
  cursor: parseAsString,
}

export type DeskViewParams = inferParserType<typeof deskViewParsers>

export const parkedQueryOf = ({ view, cursor }: DeskViewParams): ParkedListQuery => ({
  left: view === 'left',
  limit: ROWS_PER_PAGE,
  ...(cursor && { cursor }),
})

export const alertQueryOf = ({ view, cursor }: DeskViewParams): AlertListQuery => ({
  state: view === 'resolved' ? 'resolved' : 'open',
  limit: ROWS_PER_PAGE,
  ...(cursor && { cursor }),
})

export const showsOrders = ({ view }: DeskViewParams): boolean => view === 'parked' || view === 'left'
