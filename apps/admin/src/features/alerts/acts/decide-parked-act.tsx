import type { AlertDetail } from '@meridian/contracts'
import { DecideOrder } from '../decide-order.tsx'

/** The decision that the parked order waits for. */
export function DecideParkedAct({ alert: { orders } }: { alert: AlertDetail }) {
  const order = orders.find(({ parked }) => parked)
  return order?.parkReason ? <DecideOrder order={{ ...order, parkReason: order.parkReason }} /> : null
}
