'use client'

import { OrderTab, OrderTabFilter, orderTabFilter } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { useTabCounts } from '../lists/use-tab-counts.ts'
import { type OrderListParams, type OrderListState, orderFilterOf } from './order-list-params.ts'

/** Beside these filters alone the tabs are counted: the others would have the API read too far. */
function useOrderCounts(params: OrderListParams) {
  const trpc = useTRPC()
  const { status: _status, mark: _mark, ...filter } = orderFilterOf(params)
  const countable = Object.keys(filter).every((key) => key in OrderTabFilter.shape)
  return useTabCounts(trpc.order.counts.queryOptions(OrderTabFilter.parse(filter)), countable)
}

/** Orders of one status, those that are out of the ordinary, or all of them. */
export function StatusTabs({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const countOf = useOrderCounts(params)
  const labelOf = (tab: OrderTab) => {
    if (tab === 'all') return t('all')
    return tab === 'refunding' || tab === 'parked' ? t(`marks.${tab}`) : t(`statuses.${tab}`)
  }
  const tabs = OrderTab.options.map((tab) => {
    const { status = null, mark = null } = orderTabFilter(tab)
    return {
      key: tab,
      label: labelOf(tab),
      count: countOf(tab),
      href: paths.orders({ ...params, status, mark, cursor: null }),
      current: params.status === status && params.mark === mark,
      choose: () => change({ status, mark }),
    }
  })
  return <LinkTabs label={t('statusFilter')} tabs={tabs} />
}
