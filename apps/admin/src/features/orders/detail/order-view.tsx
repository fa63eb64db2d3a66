'use client'

import { formatFen, isRefundUnderWay, isUnpaid, type OrderDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import { DetailHead, NumberedTitle } from '../../../ui/detail-head.tsx'
import page from '../../../ui/detail-page.module.css'
import { Notice } from '../../../ui/notice.tsx'
import { StaleNotice } from '../../../ui/stale-notice.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { OrderFlags, OrderStatusBadge } from '../order-status-badge.tsx'
import styles from './detail.module.css'
import { OrderActs } from './order-acts.tsx'
import { OrderFacts, OrderIdentifiers } from './order-facts.tsx'
import { OrderGrants, OrderNotifications, OrderRefunds } from './order-records.tsx'
import { OrderSkeleton } from './order-skeleton.tsx'
import { OrderSubscription } from './order-subscription.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { useWord } from './use-word.ts'

function OrderHead({ order, watching }: { order: OrderDetail; watching: boolean }) {
  const t = useTranslations('order')
  return (
    <DetailHead
      back={{ href: paths.orders(), label: t('back') }}
      title={<NumberedTitle number={order.outTradeNo}>{formatFen(order.amountFen)}</NumberedTitle>}
      id={{ value: order.outTradeNo, name: t('outTradeNo') }}
      state={
        <>
          <OrderStatusBadge status={order.status} />
          <OrderFlags late={order.late} parked={order.parked} />
          {watching && <span className={styles['watching']}>{t('waiting')}</span>}
        </>
      }
      actions={<OrderActs order={order} />}
    />
  )
}

/** What about this order wants attention, before everything else. */
function OrderNotices({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const word = useWord()
  if (!order.parked && !order.late && !order.payerDiffers) return null
  return (
    <div className={styles['notices']}>
      {order.parked && (
        <Notice tone="bad">
          {t('parked')}
          {order.parkReason && ` · ${word('parkReasons', order.parkReason)}`}
        </Notice>
      )}
      {order.late && (
        <Notice tone="wait" icon="clock">
          {t('late')}
        </Notice>
      )}
      {order.payerDiffers && <Notice tone="wait">{t('payerDiffers')}</Notice>}
    </div>
  )
}

const WATCH_MS = 5_000

/** Whether something may happen to the order by itself: money may come, or is on its way back. */
const isUnderWay = ({ status, refunds }: OrderDetail): boolean =>
  isUnpaid(status) || refunds.some(isRefundUnderWay)

/** Everything about one order; watched while anything is under way, though not behind a hidden tab. */
export function OrderView({ outTradeNo }: { outTradeNo: string }) {
  const query = useQuery({
    ...useTRPC().order.detail.queryOptions({ outTradeNo }),
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
