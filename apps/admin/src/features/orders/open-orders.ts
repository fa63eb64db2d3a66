import { ORDERS_AT_ONCE, type OrderRow } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback, useMemo } from 'react'
import { STALE_MS, useTRPC, useTRPCClient } from '../../api-client/api-provider.tsx'
import { truncateMiddle } from '../../format.ts'
import { type Details, loadedLater } from '../../kit/list/open-details.tsx'
import { useIdle } from '../../ui/use-idle.ts'

type OrderKey = { outTradeNo: string }

/** Reads the pages of orders that nobody has read yet, as many as one call takes. */
function useReadAhead() {
  const cache = useQueryClient()
  const trpc = useTRPC()
  const api = useTRPCClient()
  return useCallback(
    async (orders: readonly OrderKey[], signal?: AbortSignal) => {
      const keyOf = ({ outTradeNo }: OrderKey) => trpc.order.detail.queryKey({ outTradeNo })
      const isUnread = (order: OrderKey) => cache.getQueryState(keyOf(order)) === undefined
      const outTradeNos = orders.filter(isUnread).map(({ outTradeNo }) => outTradeNo)
      if (outTradeNos.length === 0) return
      const asked = { outTradeNos: outTradeNos.slice(0, ORDERS_AT_ONCE) }
      const read = await api.order.details.query(asked, signal && { signal })
      // What was opened meanwhile has been read since. Only what its page asks for counts as a look, so that it must ask.
      const updatedAt = Date.now() - STALE_MS
      for (const order of read.filter(isUnread)) cache.setQueryData(keyOf(order), order, { updatedAt })
    },
    [cache, trpc, api],
  )
}

/** Asks for an order that was not read ahead; one that was is asked for anew by its page. */
function useReadOrder() {
  const cache = useQueryClient()
  const trpc = useTRPC()
  const ahead = useReadAhead()
  const read = useCallback(
    (order: OrderKey) => {
      const query = trpc.order.detail.queryOptions(order)
      if (cache.getQueryData(query.queryKey) === undefined) void cache.prefetchQuery(query)
    },
    [cache, trpc],
  )
  const readAhead = useCallback((order: OrderKey) => void ahead([order]).catch(() => undefined), [ahead])
  return { read, readAhead }
}

/** How the list opens an order. */
export const orderDetails: Details<OrderKey> = {
  named(pathname) {
    const outTradeNo = /^\/orders\/(\w+)$/.exec(pathname)?.[1]
    return outTradeNo === undefined ? null : { outTradeNo }
  },
  page: loadedLater(async () => (await import('./detail/order-view.tsx')).OrderView),
  useTitle: ({ outTradeNo }) => useTranslations('order')('title', { outTradeNo: truncateMiddle(outTradeNo) }),
  useRead: useReadOrder,
}

/** Reads the pages of the orders of a list in one call. */
export function useOrdersReadAhead(rows: readonly OrderRow[] | undefined): void {
  const ahead = useReadAhead()
  const read = useMemo(() => rows && ((signal: AbortSignal) => ahead(rows, signal)), [rows, ahead])
  useIdle(read ?? null)
}
