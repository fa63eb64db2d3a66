import type { Order } from '@meridian/contracts'
import { linkToConsole } from './console-link.ts'
import { make } from './page.ts'
import { text } from './texts.ts'

let latest: string | null = null

const linkOf = (outTradeNo: string | null): Node[] => {
  const link = outTradeNo === null ? [] : linkToConsole(`/orders/${outTradeNo}`, outTradeNo)
  return link.length === 0 ? [] : [make('span', '', text('latestOrder')), ...link]
}

/** Where the order is that was bought with a fault: below the words on what one should see. */
export const orderOfFault = (): HTMLElement => make('div', 'seen-order', linkOf(latest))

/** The newest order of this phone, once it is known. */
export function linkFaults(order: Order | undefined): void {
  latest = order?.out_trade_no ?? null
  for (const place of document.querySelectorAll('.seen-order')) place.replaceChildren(...linkOf(latest))
}
