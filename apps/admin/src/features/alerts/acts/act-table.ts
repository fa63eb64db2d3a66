import type { AlertDetail, AlertKind } from '@meridian/contracts'
import type { ComponentType } from 'react'
import { paths } from '../../../paths.ts'
import { DecideContradictionAct } from './decide-contradiction-act.tsx'
import { DecideParkedAct } from './decide-parked-act.tsx'
import { RefundLaterAct } from './refund-later-act.tsx'
import { ReplayAct } from './replay-act.tsx'
import { ReturnSecondPaymentAct } from './return-second-payment-act.tsx'

/** What a kind of alert asks for, as the one main button of its page; it shows nothing where nothing is to do. */
export type AlertAct = ComponentType<{ alert: AlertDetail }>

/** The act of each kind. One without is resolved with a note, which every open alert may be. */
const acts: Readonly<Partial<Record<AlertKind, AlertAct>>> = {
  order_parked: DecideParkedAct,
  refund_contradicted: DecideContradictionAct,
  possible_double_payment: RefundLaterAct,
  second_transaction: ReturnSecondPaymentAct,
  payment_mismatch: ReplayAct,
  order_unknown: ReplayAct,
  notification_unreadable: ReplayAct,
}

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
  factor_changed: 'staffMember',
  program_published: 'diagnosis',
  job_dead: 'jobs',
  workers_silent: 'jobs',
  key_expiring: 'keys',
  clock_skewed: 'keys',
  notifications_refused: 'notifications',
  payments_missing: 'notifications',
}

const addresses: Readonly<Record<Place, (alert: AlertDetail) => string | null>> = {
  refund: ({ outRefundNo }) => outRefundNo && paths.refund({ outRefundNo }),
  order: ({ outTradeNo }) => outTradeNo && paths.order({ outTradeNo }),
  day: ({ subject }) => paths.reconciledDay({ date: subject }),
  reconciliation: () => paths.reconciliation(),
  shipping: () => paths.shipping(),
  settings: () => paths.settings(),
  plan: ({ subject }) => paths.plan({ code: subject }),
  staffMember: ({ subject }) => paths.staffMember({ id: subject }),
  diagnosis: () => paths.diagnosis(),
  jobs: () => paths.jobs(),
  keys: () => paths.keys(),
  notifications: () => paths.notifications(),
}

const ofKind = <Value>(table: Readonly<Partial<Record<AlertKind, Value>>>, kind: string): Value | null => {
  const known: Readonly<Record<string, Value>> = table
  return Object.hasOwn(table, kind) ? (known[kind] ?? null) : null
}

export const actOf = ({ kind }: AlertDetail): AlertAct | null => ofKind(acts, kind)

/** Where to go on, and under which name; null where the alert is all there is. */
export function placeOf(alert: AlertDetail): { place: Place; href: string } | null {
  const place = ofKind(places, alert.kind)
  const href = place && addresses[place](alert)
  return place && href ? { place, href } : null
}
