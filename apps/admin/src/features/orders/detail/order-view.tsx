'use client'

import { isRefundUnderWay, type OrderDetail, type OrderStatus, unpaidStatuses } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { StaleNotice } from '../../../ui/stale-notice.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import styles from './detail.module.css'
import { OrderFacts, OrderIdentifiers } from './order-facts.tsx'
import { OrderHead, OrderNotices } from './order-head.tsx'
import { OrderGrants, OrderNotifications, OrderRefunds } from './order-records.tsx'
import { OrderSkeleton } from './order-skeleton.tsx'
import { OrderSubscription } from './order-subscription.tsx'
import { OrderTimeline } from './order-timeline.tsx'

const WATCH_MS = 5_000

const isUnpaid = (status: OrderStatus): boolean => unpaidStatuses.some((unpaid) => unpaid === status)

/** Whether something may happen to the order by itself: money may come, or is on its way back. */
const isUnderWay = ({ status, refunds }: OrderDetail): boolean =>
  isUnpaid(status) || refunds.some(isRefundUnderWay)

/** Everything about one order; watched while anything is under way, though not behind a hidden tab. */
export function OrderView({ outTradeNo }: { outTradeNo: string }) {
  const trpc = useTRPC()
  const failureOf = useFailure()
  const query = useQuery({
    ...trpc.order.detail.queryOptions({ outTradeNo }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? WATCH_MS : false),
  })
  const order = query.data
  const failure = failureOf(query.error)
  if (!order && failure) {
    return (
      <Panel>
        <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
      </Panel>
    )
  }
  if (!order) return <OrderSkeleton />
  return (
    <>
      <OrderHead order={order} watching={isUnpaid(order.status)} />
      <StaleNotice of={query} />
      <OpenAlerts about={{ outTradeNo }} />
      <OrderNotices order={order} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <OrderFacts order={order} />
          <OrderIdentifiers order={order} />
          <OrderGrants order={order} />
          <OrderRefunds refunds={order.refunds} />
          <OrderNotifications notifications={order.notifications} />
        </div>
        <div className={styles['column']}>
          <OrderSubscription order={order} />
          <OrderTimeline order={order} />
        </div>
      </div>
    </>
  )
}
