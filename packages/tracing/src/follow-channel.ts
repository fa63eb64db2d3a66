import { tracingChannel } from 'node:diagnostics_channel'
import { linkToOrder, showInOrders } from './order-life.ts'
import {
  type Begun,
  beginPart,
  beginRoot,
  close,
  type Ended,
  here,
  type Library,
  type Scope,
} from './spans.ts'

/** How a tracing channel's messages are told: a piece of work at its beginning, and at its end. */
export type Followed = {
  begin: (message: unknown) => Begun | null
  end?: (message: unknown) => Ended
  /** Makes each piece of work an activity of its own, about these orders. */
  orders?: (message: unknown) => readonly string[]
}

const asObject = (message: unknown): object | null =>
  typeof message === 'object' && message !== null ? message : null

/**
 * Makes a span of each piece of work that a tracing channel tells of: a part of the activity at hand, and none where
 * there is no activity (what a process asks by itself every few seconds); with `orders` an activity of its own.
 * Answers how to stop.
 */
export const followIn =
  (library: Library) =>
  (name: string, { begin, end, orders }: Followed): (() => void) => {
    const channel = tracingChannel<Scope | undefined, object>(name)
    const opened = new WeakMap<object, Scope>()
    const open = (message: object): Scope | undefined => {
      const outer = orders ? undefined : here.getStore()
      if (!orders && !outer?.span.isRecording()) return outer
      const begun = begin(message)
      if (!begun) return outer
      const scope = outer ? beginPart(library, outer, begun) : beginRoot(library, begun)
      opened.set(message, scope)
      for (const order of orders?.(message) ?? []) linkToOrder(library, scope.root, order)
      return scope
    }
    // A failure is told twice: as an error, and as the end of the promise.
    const finish = (message: object | null, failed: boolean) => {
      const scope = message && opened.get(message)
      if (!scope) return
      opened.delete(message)
      close(library, scope.span, { ...(failed && { failed }), ...end?.(message) })
      if (orders) showInOrders(library, scope.root)
    }
    const failed = (message: unknown) => finish(asObject(message), true)
    const ended = (message: unknown) => finish(asObject(message), false)
    channel.start.bindStore(here, open)
    channel.error.subscribe(failed)
    channel.asyncEnd.subscribe(ended)
    return () => {
      channel.start.unbindStore(here)
      channel.error.unsubscribe(failed)
      channel.asyncEnd.unsubscribe(ended)
    }
  }
