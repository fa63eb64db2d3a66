import { type ShipmentListQuery, WaitingShipment } from '@meridian/contracts'
import { type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server'

const SHIPMENTS_PER_PAGE = 20

export const shippingParsers = {
  state: parseAsStringLiteral(WaitingShipment.shape.state.options),
  cursor: parseAsString,
}

export type ShippingParams = inferParserType<typeof shippingParsers>

export const shipmentListQueryOf = ({ state, cursor }: ShippingParams): ShipmentListQuery => ({
  limit: SHIPMENTS_PER_PAGE,
  ...(state && { state }),
  ...(cursor && { cursor }),
})
