import { Device, Order, pageOf } from '@meridian/contracts'

/** Lists that the document knows by a name. */
export const OrderList = pageOf(Order)
export const DeviceList = pageOf(Device)
