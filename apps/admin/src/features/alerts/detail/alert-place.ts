import type { AlertDetail, AlertKind } from '@meridian/contracts'
import { paths } from '../../../paths.ts'

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

/** What a table says of a kind; null where it says nothing. */
export const ofKind = <Value>(
  table: Readonly<Partial<Record<AlertKind, Value>>>,
  kind: string,
): Value | null => {
  const known: Readonly<Record<string, Value>> = table
  return Object.hasOwn(table, kind) ? (known[kind] ?? null) : null
}

/** Where to go on, and under which name; null where the alert is all there is. */
export function placeOf(alert: AlertDetail): { place: Place; href: string } | null {
  const place = ofKind(places, alert.kind)
  const href = place && addresses[place](alert)
  return place && href ? { place, href } : null
}
