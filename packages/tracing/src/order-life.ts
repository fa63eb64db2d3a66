import { here, type Library, type Root } from './spans.ts'

/** More orders than this in one run, such as the daily bill's, are not named one by one. */
const mostOrders = 100

const named = (outTradeNo: string) => ({ 'meridian.out_trade_no': outTradeNo })

/** Links an activity to the life of an order that it is about. */
export function linkToOrder({ orderSpanOf }: Library, { span, orders }: Root, outTradeNo: string): void {
  if (orders.has(outTradeNo) || orders.size >= mostOrders) return
  orders.add(outTradeNo)
  span.addLink({ context: orderSpanOf(outTradeNo) })
}

/** Says of an activity that is over, in the trace of each of its orders, that it has been and where it can be seen. */
export function showInOrders({ tracer, beneath, orderSpanOf }: Library, root: Root): void {
  const links = [{ context: root.span.spanContext() }]
  for (const outTradeNo of root.orders) {
    const options = { startTime: root.startedAt, links, attributes: named(outTradeNo) }
    tracer.startSpan(root.name, options, beneath(orderSpanOf(outTradeNo))).end()
  }
}

/** Hears that what runs now is about an order, or has just made it: then the trace of its life begins. */
export const sawOrderIn =
  (library: Library) =>
  (outTradeNo: string, isNew: boolean): void => {
    const root = here.getStore()?.root
    if (!root) return
    linkToOrder(library, root, outTradeNo)
    if (!isNew) return
    const links = [{ context: root.span.spanContext() }]
    const options = { startTime: root.startedAt, links, attributes: named(outTradeNo) }
    library.openOrderSpan(library.orderSpanOf(outTradeNo), options).end()
  }
