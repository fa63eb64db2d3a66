import type { Order } from '@meridian/contracts'
import { linkToConsole } from './console-link.ts'
import { named } from './names.ts'
import { byId, make, press } from './page.ts'
import { clockTime, dayAndTime, type TextName, text, yuan } from './texts.ts'

type Acts = {
  /** Whether this phone can carry on with an unpaid order. */
  canPay: (order: Order) => boolean
  pay: (order: Order) => Promise<void>
  cancel: (order: Order) => Promise<void>
}

const statusTexts: Record<Order['status'], TextName> = {
  created: 'statusCreated',
  prepay: 'statusPrepay',
  paid: 'statusPaid',
  closed: 'statusClosed',
  refunded: 'statusRefunded',
}

const isUnpaid = ({ status }: Order) => status === 'created' || status === 'prepay'

/** When it was made, and what of its time still matters. */
function timesOf(order: Order): string {
  const tag = order.channel === 'virtual' ? ` · ${text('virtualTag')}` : ''
  const made = `${dayAndTime(order.created_at)}${tag}`
  if (isUnpaid(order)) return `${made} · ${text('payUntil', { time: clockTime(order.expires_at) })}`
  return order.refunded_fen > 0 ? `${made} · ${text('refundedSum', { sum: yuan(order.refunded_fen) })}` : made
}

/** What can be done with an unpaid order. */
function actsOf(order: Order, { canPay, pay, cancel }: Acts): Node[] {
  const { out_trade_no: outTradeNo } = order
  return [
    ...(canPay(order) ? [press(text('payAgain'), outTradeNo, () => void pay(order))] : []),
    press(text('cancelOrder'), outTradeNo, () => void cancel(order)),
  ]
}

export function showOrders(orders: readonly Order[], acts: Acts): void {
  byId('orders-section').hidden = orders.length === 0
  byId('orders').replaceChildren(
    ...orders.map((order) =>
      make('li', 'order tall', [
        make('span', 'order-head', [
          make('b', '', `${named(order.plan.name)} ${yuan(order.amount_fen)}`),
          make('span', `tag ${order.status}`, text(statusTexts[order.status])),
        ]),
        make('span', 'hint', timesOf(order)),
        make('span', 'order-head', [
          make('code', '', order.out_trade_no),
          ...linkToConsole(`/orders/${order.out_trade_no}`, order.out_trade_no),
        ]),
        ...(isUnpaid(order) ? [make('span', 'order-acts', actsOf(order, acts))] : []),
      ]),
    ),
  )
}
