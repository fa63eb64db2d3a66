'use client'

import {
  type AlertDetail,
  type AlertKind,
  finalOutcomes,
  formatFen,
  standingObstacleOf,
} from '@meridian/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import type { ComponentType } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { developerPaths } from '../../../developer-paths.ts'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { paths } from '../../../paths.ts'
import { replayNotification } from '../../notifications/detail/notification-acts.tsx'
import { DecideContradiction } from '../../refunds/detail/decide-contradiction.tsx'
import { RefundOrderDialog } from '../../refunds/refund-order-dialog.tsx'
import { DecideOrder } from '../alert-acts.tsx'

type Place =
  | 'refund'
  | 'order'
  | 'day'
  | 'reconciliation'
  | 'shipping'
  | 'settings'
  | 'plan'
  | 'staffMember'
  | 'diagnosis'
  | 'jobs'
  | 'keys'
  | 'notifications'
  | 'webhook'
  | 'exports'

/** Where the matter of a kind is looked after, on another page. */
const places: Readonly<Partial<Record<AlertKind, Place>>> = {
  second_transaction: 'order',
  external_refund: 'order',
  refund_mismatch: 'refund',
  refund_abnormal: 'refund',
  refund_closed: 'refund',
  refund_stuck: 'refund',
  refund_contradicted: 'refund',
  bill_unavailable: 'day',
  bill_differences: 'day',
  reconciliation_missing: 'reconciliation',
  shipping_refused: 'shipping',
  shipping_misconfigured: 'shipping',
  reminder_misconfigured: 'settings',
  threshold_changed: 'settings',
  price_changed_far: 'plan',
  virtual_price_differs: 'plan',
  virtual_payment_refused: 'settings',
  delivery_unconfirmed: 'order',
  complaint_received: 'order',
  account_risk: 'settings',
  factor_changed: 'staffMember',
  program_published: 'diagnosis',
  job_dead: 'jobs',
  workers_silent: 'jobs',
  key_expiring: 'keys',
  clock_skewed: 'keys',
  notifications_refused: 'notifications',
  payments_missing: 'notifications',
  endpoint_disabled: 'webhook',
  export_failing: 'exports',
}

const addresses: Readonly<Record<Place, (alert: AlertDetail) => string | null>> = {
  refund: ({ outRefundNo }) => outRefundNo && paths.refund({ outRefundNo }),
  order: ({ outTradeNo }) => outTradeNo && paths.order({ outTradeNo }),
  // A bill that is only kept is named by its day, or the first of its month, and its kind.
  day: ({ subject }) => paths.reconciledDay({ date: subject.slice(0, 10) }),
  reconciliation: () => paths.reconciliation(),
  shipping: () => paths.shipping(),
  settings: () => paths.settings(),
  plan: ({ subject }) => paths.plan({ code: subject }),
  staffMember: ({ subject }) => paths.staffMember({ id: subject }),
  diagnosis: () => paths.diagnosis(),
  jobs: () => paths.jobs(),
  keys: () => paths.keys(),
  notifications: () => paths.notifications(),
  webhook: ({ subject }) => developerPaths.webhook({ id: subject }),
  exports: () => paths.exports(),
}

/** What a table says of a kind; null where it says nothing. */
const ofKind = <Value,>(table: Readonly<Partial<Record<AlertKind, Value>>>, kind: string): Value | null => {
  const known: Readonly<Record<string, Value>> = table
  return Object.hasOwn(table, kind) ? (known[kind] ?? null) : null
}

/** Where to go on, and under which name; null where the alert is all there is. */
export function placeOf(alert: AlertDetail): { place: Place; href: string } | null {
  const place = ofKind(places, alert.kind)
  const href = place && addresses[place](alert)
  return place && href ? { place, href } : null
}

const SecondPaymentDialog = dynamic(
  () => import('../../refunds/second-payment-dialog.tsx').then((module) => module.SecondPaymentDialog),
  { ssr: false },
)

type ActProps = { alert: AlertDetail }

/** The decision that the parked order waits for. */
function DecideParkedAct({ alert: { orders } }: ActProps) {
  const order = orders.find(({ parked }) => parked)
  return order?.parkReason ? <DecideOrder order={{ ...order, parkReason: order.parkReason }} /> : null
}

/** Which of the two ends of the refund holds. */
function DecideContradictionAct({ alert: { outRefundNo } }: ActProps) {
  const trpc = useTRPC()
  const { data: refund } = useQuery(
    trpc.refund.detail.queryOptions(outRefundNo ? { outRefundNo } : skipToken),
  )
  return refund?.contradicted ? <DecideContradiction refund={refund} /> : null
}

/** Asks for a refund of the order that was paid last; the preview says what it does to the days. */
function RefundLaterAct({ alert: { orders } }: ActProps) {
  const t = useTranslations('alerts')
  const words = useTranslations('order')
  const later = orders.at(-1)
  if (!later || orders.length < 2) return null
  const { refundableFen } = later
  const byApple = standingObstacleOf(later) === 'by_apple'
  return (
    <ActButton
      icon="refund"
      label={byApple ? t('refundLaterByApple') : t('refundLater', { amount: formatFen(refundableFen) })}
      hint={t('refundLaterHint')}
      permission="refund.request"
      forbidden={(who) => words('refundForbidden', who)}
      obstacle={refundableFen === 0 && !byApple ? words('refundNothingLeft') : null}
      dialog={(close) => <RefundOrderDialog order={later} onClose={close} />}
    />
  )
}

/** Where an order was paid twice: the money of the second payment back to whoever paid it. */
const returnSecondPayment = defineDialogAct(() => useTranslations('refunds.secondPayment'), {
  icon: 'refund',
  permission: 'refund.request',
  words: (t) => ({ label: t('act'), hint: t('hint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ outTradeNo }: { outTradeNo: string }, close) => (
    <SecondPaymentDialog outTradeNo={outTradeNo} onClose={close} />
  ),
})

/** The money of the second payment back to whoever paid it. */
function ReturnSecondPaymentAct({ alert: { outTradeNo } }: ActProps) {
  return outTradeNo ? <DialogAct of={returnSecondPayment} outTradeNo={outTradeNo} /> : null
}

/** Asks the platform about the order and says what came of it. */
const syncOrder = defineAct(() => useTranslations('order'), {
  icon: 'sync',
  permission: 'order.sync',
  words: (t) => ({ label: t('sync'), hint: t('syncHint'), forbidden: (who) => t('syncForbidden', who) }),
  act: (t) => ({
    call: (api) => api.order.sync.mutate,
    invalidates: ['alert', 'order'],
    starting: t('syncing'),
    done: ({ outcome }) => t(`outcomes.${outcome}`),
    refused: (reason) => t('syncFailed', { reason }),
  }),
})

/** What may be over once the platform was asked about the order again. */
const syncs: readonly string[] = [
  'payment_mismatch',
  'order_unknown',
  'delivery_unconfirmed',
  'external_refund',
] satisfies readonly AlertKind[]

/** Asks the platform about the order of the alert, where its answer may settle the matter. */
export function SyncAct({ alert: { kind, orders } }: ActProps) {
  const [order] = orders
  if (!order || !syncs.includes(kind)) return null
  return <DirectAct of={syncOrder} quiet input={{ outTradeNo: order.outTradeNo }} />
}

/** The newest notification that did not fit, once more: first as a dry run. */
function ReplayAct({ alert: { notifications } }: ActProps) {
  const open = notifications.find(({ outcome }) => !finalOutcomes.some((final) => final === outcome))
  return open ? <DialogAct of={replayNotification} id={open.id} /> : null
}

/** The act of each kind. One without is resolved with a note, which every open alert may be. */
const acts: Readonly<Partial<Record<AlertKind, ComponentType<ActProps>>>> = {
  order_parked: DecideParkedAct,
  refund_contradicted: DecideContradictionAct,
  possible_double_payment: RefundLaterAct,
  second_transaction: ReturnSecondPaymentAct,
  payment_mismatch: ReplayAct,
  order_unknown: ReplayAct,
  notification_unreadable: ReplayAct,
}

/** What the alert's kind asks for, as the one main button of its page; it shows nothing where nothing is to do. */
export const actOf = ({ kind }: AlertDetail): ComponentType<ActProps> | null => ofKind(acts, kind)
