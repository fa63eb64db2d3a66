'use client'

import {
  formatFen,
  isRefundUnderWay,
  isUnpaid,
  type OrderDetail,
  orderStateOf,
  standingObstacleOf,
} from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { Loaded } from '../../../kit/page/page-content.tsx'
import { paths } from '../../../paths.ts'
import { DetailColumns, DetailHead } from '../../../ui/detail-page.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StaleNotice } from '../../../ui/stale-notice.tsx'
import { DecideOrder } from '../../alerts/alert-acts.tsx'
import { OpenAlerts } from '../../alerts/open-alerts.tsx'
import { OrderIncome } from '../../finance/order-income.tsx'
import { NotesPanel } from '../../notes/notes-panel.tsx'
import { PinButton } from '../../palette/pin-button.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import { RefundOrderDialog } from '../../refunds/refund-order-dialog.tsx'
import { SubjectTags } from '../../tags/subject-tags.tsx'
import { OrderFlags, OrderStatusBadge } from '../order-status-badge.tsx'
import { shownAnew, syncOrder } from '../sync-order.ts'
import styles from './detail.module.css'
import { OrderAttempts, OrderInquiries } from './order-attempts.tsx'
import { OrderFacts, OrderIdentifiers, OrderSkeleton, OrderSubscription, useWord } from './order-panels.tsx'
import { OrderGrants, OrderNotifications, OrderRefunds } from './order-records.tsx'
import { OrderTimeline } from './order-timeline.tsx'

/** Why this order cannot be refunded, whoever asks; null when it can, and where the dialog says who can. */
function useNoRefund(order: OrderDetail): string | null {
  const t = useTranslations('order')
  const obstacle = standingObstacleOf(order)
  if (obstacle === 'not_paid' && order.status !== 'refunded') return t('refundNotPaid')
  // Its dialog asks for nothing: it says how the user gets the money back from Apple.
  if (obstacle === 'by_apple') return null
  if (obstacle === 'parked') return t('refundParked')
  return order.refundableFen === 0 ? t('refundNothingLeft') : null
}

const refundOrder = defineDialogAct(() => useTranslations('order'), {
  icon: 'refund',
  permission: 'refund.request',
  words: (t) => ({
    label: t('refund'),
    hint: t('refundHint'),
    forbidden: (who) => t('refundForbidden', who),
  }),
  dialog: (order: OrderDetail, close) => <RefundOrderDialog order={order} onClose={close} />,
})

const closeOrder = defineAct(() => useTranslations('order'), {
  icon: 'close',
  permission: 'order.close',
  words: (t) => ({ label: t('close'), hint: t('closeHint'), forbidden: (who) => t('closeForbidden', who) }),
  act: (t) => ({
    call: (api) => api.order.close.mutate,
    done: ({ outcome }) => t(`outcomes.${outcome}`),
    ...shownAnew,
  }),
  confirm: (t, { outTradeNo }) => ({
    title: t('closeTitle', { outTradeNo }),
    submitLabel: t('close'),
    danger: true,
    children: t('closeLead'),
  }),
})

/** What is most likely wanted: a decision where one is waited for, the truth of an unpaid order, the money of a paid one. */
const mainActOf = ({ parkReason, status }: OrderDetail): 'decide' | 'sync' | 'refund' => {
  if (parkReason) return 'decide'
  return status === 'paid' || status === 'refunded' ? 'refund' : 'sync'
}

/** What an operator can do with an order; what is not theirs or not open says why. */
function OrderActs({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const { parkReason, outTradeNo, status } = order
  const main = mainActOf(order)
  const granted = order.grants.some(({ kind }) => kind === 'purchase')
  return (
    <span className={styles['acts']}>
      {parkReason && <DecideOrder order={{ ...order, parkReason, granted }} />}
      <DialogAct of={refundOrder} {...order} quiet={main !== 'refund'} obstacle={useNoRefund(order)} />
      <DirectAct
        of={closeOrder}
        quiet
        obstacle={isUnpaid(status) ? null : t('closeNotUnpaid')}
        input={{ outTradeNo }}
      />
      <DirectAct of={syncOrder} input={{ outTradeNo }} quiet={main !== 'sync'} />
      {order.paidAt && (
        <Link className={styles['receipt']} href={paths.receipt({ outTradeNo })}>
          {t('receipt')}
        </Link>
      )}
    </span>
  )
}

function OrderHead({ order, watching }: { order: OrderDetail; watching: boolean }) {
  const t = useTranslations('order')
  const soldName = useSoldName()
  return (
    <DetailHead
      back={{ href: paths.orders(), label: t('back') }}
      title={`${formatFen(order.amountFen)} · ${soldName(order.planName)}`}
      id={{ value: order.outTradeNo, name: t('outTradeNo') }}
      pin={<PinButton />}
      state={
        <>
          <OrderStatusBadge status={orderStateOf(order)} />
          <OrderFlags late={order.late} parked={order.parked} />
          {watching && <span className={styles['watching']}>{t('waiting')}</span>}
        </>
      }
      actions={<OrderActs order={order} />}
      tags={<SubjectTags subject={{ kind: 'order', id: order.outTradeNo }} />}
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

/** Whether something may happen to the order by itself: money may come or is on its way back, or the platform has not said yet that what was paid is delivered. */
const isUnderWay = ({ status, refunds, attempts }: OrderDetail): boolean =>
  isUnpaid(status) ||
  refunds.some(isRefundUnderWay) ||
  attempts.some(({ state, deliveredAt }) => state === 'paid' && deliveredAt === null)

/** An order that was opened by the number of one of its payment attempts gets the address of its own. */
function useOwnAddress(asked: string, outTradeNo: string | undefined) {
  const router = useRouter()
  const own = outTradeNo === undefined || outTradeNo === asked ? null : paths.order({ outTradeNo })
  useEffect(() => {
    if (own) router.replace(own)
  }, [own, router])
}

/** Everything about one order; watched while anything is under way, though not behind a hidden tab. */
export function OrderView({ outTradeNo: asked }: { outTradeNo: string }) {
  const query = useQuery({
    ...useTRPC().order.detail.queryOptions({ outTradeNo: asked }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? WATCH_MS : false),
  })
  useOwnAddress(asked, query.data?.outTradeNo)
  return (
    <Loaded query={query} skeleton={<OrderSkeleton />}>
      {(order) => (
        <>
          <OrderHead order={order} watching={isUnpaid(order.status)} />
          <StaleNotice of={query} />
          <OpenAlerts about={{ outTradeNo: order.outTradeNo }} />
          <OrderNotices order={order} />
          <DetailColumns
            aside={
              <>
                <OrderSubscription order={order} />
                <NotesPanel subject={{ kind: 'order', id: order.outTradeNo }} />
                <OrderTimeline order={order} />
              </>
            }
          >
            <OrderFacts order={order} />
            <OrderAttempts order={order} />
            <OrderIdentifiers order={order} />
            {order.paidAt && <OrderIncome outTradeNo={order.outTradeNo} />}
            <OrderGrants order={order} />
            <OrderRefunds refunds={order.refunds} />
            <OrderInquiries order={order} />
            <OrderNotifications notifications={order.notifications} />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
