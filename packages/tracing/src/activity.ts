import { linkToOrder, showInOrders } from './order-life.ts'
import {
  type Begun,
  beginRoot,
  close,
  type Ended,
  fieldsOf,
  here,
  type Library,
  type TraceFields,
} from './spans.ts'
import { writeTraceparent } from './traceparent.ts'

/** One request, from its beginning to its end: the root of what this program does for it. */
export type Activity = {
  /** Does work as a part of it; so is all that this work awaits. */
  run: <Result>(work: () => Result) => Result
  /** Names an order that it is about. */
  about: (outTradeNo: string) => void
  /** What a line of the log says of it. */
  fields: TraceFields
  /** The header that makes another program's work a part of it. */
  traceparent: string
  end: (how?: Ended & { name?: string }) => void
}

export const beginActivityIn =
  (library: Library) =>
  (begun: Begun): Activity => {
    const scope = beginRoot(library, begun)
    const { span, root } = scope
    return {
      run: (work) => here.run(scope, work),
      about: (outTradeNo) => linkToOrder(library, root, outTradeNo),
      fields: fieldsOf(span),
      traceparent: writeTraceparent(span.spanContext()),
      end: ({ name = root.name, ...how } = {}) => {
        root.name = name
        span.updateName(name)
        close(library, span, how)
        showInOrders(library, root)
      },
    }
  }
