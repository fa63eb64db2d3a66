'use client'

import { isUnpaid, type OrderDetail, standingObstacleOf } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import type { Store } from '../../../kit/act/use-act.ts'
import { DecideOrder } from '../../alerts/decide-order.tsx'
import styles from './detail.module.css'

const RefundDialog = dynamic(
  () => import('../../refunds/refund-dialog.tsx').then((module) => module.RefundDialog),
  { ssr: false },
)

/** Why this order cannot be refunded, whoever asks; null when it can. */
function useNoRefund(order: OrderDetail): string | null {
  const t = useTranslations('order')
  const obstacle = standingObstacleOf(order)
  if (obstacle === 'not_paid' && order.status !== 'refunded') return t('refundNotPaid')
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
  dialog: ({ outTradeNo, refundableFen }: Pick<OrderDetail, 'outTradeNo' | 'refundableFen'>, close) => (
    <RefundDialog outTradeNo={outTradeNo} refundableFen={refundableFen} onClose={close} />
  ),
})

/** What follows an act on an order: the page shows it as it now is. */
const shownAnew = {
  invalidates: ['order'],
  keep: ({ order }: { order: OrderDetail }, { cache, trpc }: Store) =>
    cache.setQueryData(trpc.order.detail.queryKey({ outTradeNo: order.outTradeNo }), order),
} as const

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

/** Asks the platform about the order and says what came of it. */
const syncOrder = defineAct(() => useTranslations('order'), {
  icon: 'sync',
  permission: 'order.sync',
  words: (t) => ({ label: t('sync'), hint: t('syncHint'), forbidden: (who) => t('syncForbidden', who) }),
  act: (t) => ({
    call: (api) => api.order.sync.mutate,
    starting: t('syncing'),
    done: ({ outcome }) => t(`outcomes.${outcome}`),
    refused: (reason) => t('syncFailed', { reason }),
    ...shownAnew,
  }),
})

/** What is most likely wanted: a decision where one is waited for, the truth of an unpaid order, the money of a paid one. */
const mainActOf = ({ parkReason, status }: OrderDetail): 'decide' | 'sync' | 'refund' => {
  if (parkReason) return 'decide'
  return status === 'paid' || status === 'refunded' ? 'refund' : 'sync'
}

/** What an operator can do with an order; what is not theirs or not open says why. */
export function OrderActs({ order }: { order: OrderDetail }) {
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
    </span>
  )
}
