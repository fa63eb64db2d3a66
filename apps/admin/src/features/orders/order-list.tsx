'use client'

import {
  formatFen,
  isUnpaid,
  netFenOfOrder,
  type OrderFilter,
  type OrderRow,
  type OrderTab,
  orderStateOf,
  orderTabFilter,
  orderTabs,
} from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useTabCounts } from '../../kit/list/counts.ts'
import { defineList, ListPage } from '../../kit/list/define-list.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { OpensDetails } from '../../kit/list/open-details.tsx'
import { asAhead } from '../../kit/list/read-ahead.ts'
import { paths } from '../../paths.ts'
import { useSoldName } from '../plans/plan-name.ts'
import { SubscriptionLink, UserLink } from '../related/row-links.tsx'
import { useCustomerPlace } from '../related/use-customer-place.ts'
import { withTags } from '../tags/tag-chip.tsx'
import { OrderFilters } from './filters/order-filters.tsx'
import { orderDetails, useOrdersReadAhead } from './open-orders.ts'
import { OrderFlags, OrderStatusBadge } from './order-status-badge.tsx'
import styles from './orders.module.css'
import { useOrderBulk } from './use-order-bulk.tsx'
import { useOrderSums } from './use-order-sums.ts'

const useWords = () => useTranslations('orders')

const SyncRow = dynamic(() => import('./sync-row.tsx').then((module) => module.SyncRow), { ssr: false })

function Amount({ order }: { order: OrderRow }) {
  const t = useWords()
  return (
    <span className={styles['amount']}>
      <span className={styles['money']}>{formatFen(order.amountFen)}</span>
      {order.refundedFen > 0 && (
        <span className={styles['refunded']}>{t('refunded', { amount: formatFen(-order.refundedFen) })}</span>
      )}
    </span>
  )
}

const Status = ({ order }: { order: OrderRow }) => (
  <span className={styles['status']}>
    <OrderStatusBadge status={orderStateOf(order)} />
    <OrderFlags late={order.late} parked={order.parked} signs />
  </span>
)

/** Beside these filters alone the tabs are counted: the others would have the API read too far. */
function useOrderCounts({ status: _status, mark: _mark, from, to, ...others }: OrderFilter) {
  const trpc = useTRPC()
  const days = { ...(from && { from }), ...(to && { to }) }
  return useTabCounts(trpc.order.counts.queryOptions(days), Object.keys(others).length === 0)
}

const orders = defineList(addresses.orders)<OrderRow>({
  name: 'orders',
  useWords,
  exportAs: 'orders',
  useSum: useOrderSums,
  useRows: (query) => useListPage(useTRPC().order.list.queryOptions(query)),
  useReadQuery() {
    const cache = useQueryClient()
    const { list } = useTRPC().order
    return (query) => cache.prefetchQuery({ ...list.queryOptions(query), ...asAhead })
  },
  useReadAhead: useOrdersReadAhead,
  rowKey: ({ outTradeNo }) => outTradeNo,
  rowHref: paths.order,
  useRowActs: () => (order) => (
    <>
      {isUnpaid(order.status) && <SyncRow outTradeNo={order.outTradeNo} />}
      <SubscriptionLink userId={order.userId} />
      <UserLink userId={order.userId} />
    </>
  ),
  useBulk: useOrderBulk,
  /** Orders of one status, those that are out of the ordinary, or all of them. */
  useTabs(_list, filter) {
    const t = useWords()
    const countOf = useOrderCounts(filter)
    const labelOf = (tab: OrderTab) => {
      if (tab === 'all') return t('all')
      if (tab === 'refunding' || tab === 'partly_refunded' || tab === 'parked') return t(`marks.${tab}`)
      return t(`statuses.${tab}`)
    }
    const tabs = orderTabs.map((tab) => {
      const { status = null, mark = null } = orderTabFilter(tab)
      return { key: tab, label: labelOf(tab), count: countOf(tab), sets: { status, mark } }
    })
    return { label: t('statusFilter'), tabs }
  },
  Filters: OrderFilters,
  /** What the overview narrows the list by: how payments were learned of, how far orders came. */
  useChips({ params: { confirmed_by, reached }, change }) {
    const t = useTranslations('orders.chips')
    const channels = useTranslations('order.channels')
    return [
      confirmed_by && {
        key: 'confirmed',
        label: t('confirmedBy', { channel: channels(confirmed_by) }),
        remove: () => change({ confirmed_by: null }),
      },
      reached && {
        key: 'reached',
        label: t(`reached.${reached}`),
        remove: () => change({ reached: null }),
      },
    ]
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    const column = columnsOf(useTranslations('orders.columns'))
    const names = useTranslations('order')
    const soldName = useSoldName()
    const customerPlace = useCustomerPlace()
    return [
      withTags(
        column.id('order', ({ outTradeNo }) => outTradeNo, {
          name: names('outTradeNo'),
          card: 'head',
          href: paths.order,
        }),
      ),
      column.person('user', ({ customer }) => customer, customerPlace),
      column.cell('status', (order) => <Status order={order} />, { card: 'sub' }),
      column.text('plan', ({ planName }) => soldName(planName), { card: 'subEnd', from: 'medium' }),
      column.text('channel', ({ channel }) => t(`channels.${channel}`), { from: 'widest' }),
      column.cell('amount', (order) => <Amount order={order} />, {
        align: 'end',
        card: 'headEnd',
        sort: sortBy(list, { ascending: 'amount_asc', descending: 'amount_desc' }),
      }),
      column.money('net', netFenOfOrder, { card: 'none', from: 'vast' }),
      column.money('fee', ({ feeFen }) => feeFen, { card: 'none', from: 'full' }),
      column.id('transaction', ({ transactionId }) => transactionId, {
        name: names('transactionId'),
        from: 'full',
        card: 'none',
      }),
      column.time('createdAt', ({ createdAt }) => createdAt, { sort: sortBy(list, byAge) }),
      column.time('paidAt', ({ paidAt }) => paidAt, { card: 'none', from: 'wide' }),
    ]
  },
})

/** The list of orders: what may be asked of it, what it adds up to, and its rows, which open where it stands. */
export const OrderList = () => (
  <OpensDetails details={orderDetails}>
    <ListPage definition={orders} />
  </OpensDetails>
)
