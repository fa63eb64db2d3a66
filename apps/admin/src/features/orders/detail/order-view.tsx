'use client'

import { isRefundUnderWay, isUnpaid, type OrderDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import page from '../../../ui/detail-page.module.css'
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

/** Whether something may happen to the order by itself: money may come, or is on its way back. */
const isUnderWay = ({ status, refunds }: OrderDetail): boolean =>
  isUnpaid(status) || refunds.some(isRefundUnderWay)

/** Everything about one order; watched while anything is under way, though not behind a hidden tab. */
export function OrderView({ outTradeNo }: { outTradeNo: string }) {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.order.detail.queryOptions({ outTradeNo }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? WATCH_MS : false),
  })
  return (
    <Loaded query={query} skeleton={<OrderSkeleton />}>
      {(order) => (
        <>
          <OrderHead order={order} watching={isUnpaid(order.status)} />
          <StaleNotice of={query} />
          <OpenAlerts about={{ outTradeNo }} />
          <OrderNotices order={order} />
          <div className={styles['columns']}>
            <div className={page['column']}>
              <OrderFacts order={order} />
              <OrderIdentifiers order={order} />
              <OrderGrants order={order} />
              <OrderRefunds refunds={order.refunds} />
              <OrderNotifications notifications={order.notifications} />
            </div>
            <div className={page['column']}>
              <OrderSubscription order={order} />
              <OrderTimeline order={order} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}
