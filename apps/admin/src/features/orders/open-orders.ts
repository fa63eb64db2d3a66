import { ORDERS_AT_ONCE, type OrderRow } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback, useMemo } from 'react'
import { useTRPC, useTRPCClient } from '../../api-client/api-provider.tsx'
import { truncateMiddle } from '../../format.ts'
import { type Details, loadedLater } from '../../kit/list/open-details.tsx'
import { useIdle } from '../../ui/use-idle.ts'

type OrderKey = { outTradeNo: string }

/** What an order is asked for: of the API at each press, whatever was read ahead, as only that counts as a look. */
function useReadOrder(): (order: OrderKey) => void {
  const cache = useQueryClient()
  const trpc = useTRPC()
  return useCallback(
    (order) => void cache.prefetchQuery({ ...trpc.order.detail.queryOptions(order), staleTime: 0 }),
    [cache, trpc],
  )
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

/** Reads the pages of the orders of a list in one call: those that nobody has opened yet. */
export function useOrdersReadAhead(rows: readonly OrderRow[] | undefined): void {
  const cache = useQueryClient()
  const trpc = useTRPC()
  const api = useTRPCClient()
  const read = useMemo(() => {
    const keyOf = ({ outTradeNo }: OrderKey) => trpc.order.detail.queryKey({ outTradeNo })
    const isUnread = (order: OrderKey) => cache.getQueryState(keyOf(order)) === undefined
    return async (signal: AbortSignal) => {
      const unread = rows?.filter(isUnread).slice(0, ORDERS_AT_ONCE) ?? []
      if (unread.length === 0) return
      const outTradeNos = unread.map(({ outTradeNo }) => outTradeNo)
      const orders = await api.order.details.query({ outTradeNos }, { signal })
      // What was opened meanwhile has been read since.
      for (const order of orders.filter(isUnread)) cache.setQueryData(keyOf(order), order)
    }
  }, [rows, cache, trpc, api])
  useIdle(read)
}
