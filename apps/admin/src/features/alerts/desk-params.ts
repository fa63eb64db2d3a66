import type { AlertFilter, AlertListQuery, ParkedListQuery } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'

/** Which part of the desk, as it stands in the address. */
export const deskViewParsers = {
  view: parseAsStringLiteral(['parked', 'alerts', 'left', 'resolved']).withDefault('parked'),
  kind: parseAsString,
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type DeskViewParams = inferParserType<typeof deskViewParsers>

export const parkedQueryOf = ({ view, limit, cursor }: DeskViewParams): ParkedListQuery => ({
  left: view === 'left',
  limit,
  ...(cursor && { cursor }),
})

export const alertFilterOf = ({ view, kind }: DeskViewParams): AlertFilter => ({
  state: view === 'resolved' ? 'resolved' : 'open',
  ...(kind && { kind: kind.slice(0, 64) }),
})

export const alertQueryOf = ({ cursor, ...params }: DeskViewParams): AlertListQuery => ({
  ...alertFilterOf({ ...params, cursor }),
  limit: params.limit,
  ...(cursor && { cursor }),
})

export const showsOrders = ({ view }: DeskViewParams): boolean => view === 'parked' || view === 'left'
