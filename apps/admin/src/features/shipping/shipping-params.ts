import { type ShipmentListQuery, WaitingShipment } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { parseAsRowsPerPage } from '../../ui/data-table/rows-per-page.ts'

export const shippingParsers = {
  state: parseAsStringLiteral(WaitingShipment.shape.state.options),
  limit: parseAsRowsPerPage,
  cursor: parseAsString,
}

export type ShippingParams = inferParserType<typeof shippingParsers>

export const shipmentListQueryOf = ({ state, limit, cursor }: ShippingParams): ShipmentListQuery => ({
  limit,
  ...(state && { state }),
  ...(cursor && { cursor }),
})
