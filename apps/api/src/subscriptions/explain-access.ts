import {
  type AccessReason,
  canMove,
  type FeatureClock,
  type LedgerEntry,
  OrderStatus,
} from '@meridian/contracts'
import { column, nullable, oneOf, type RowOf } from '@meridian/db'

/** An order that might have brought days and did not. */
export const barrenOrderColumns = {
  outTradeNo: column.text,
  status: oneOf(OrderStatus.options),
  parkReason: nullable(column.text),
  /** Unless the order is parked its money went back: it was paid late. */
  isPaid: column.boolean,
}
export type BarrenOrder = RowOf<typeof barrenOrderColumns>

export type Access = {
  disabledAt: Date | null
  expiresAt: Date | null
  remainingDays: number
  ledger: readonly LedgerEntry[]
  clocks: readonly FeatureClock[]
  barren: readonly BarrenOrder[]
  requestedDays: readonly number[]
}

const takingsTold = 5

function stateOf({ ledger, expiresAt, remainingDays }: Access): AccessReason {
  if (ledger.length === 0 || !expiresAt) return { code: 'never_had_days' }
  return remainingDays > 0
    ? { code: 'active_until', at: expiresAt, days: remainingDays }
    : { code: 'ended', at: expiresAt }
}

function sourceOf({ unusedDays: days, ...entry }: LedgerEntry) {
  const { kind, outTradeNo, planName, serialNumber, reason, apiKeyName } = entry
  if (kind === 'trial')
    return { code: 'days_from_trial', serialNumber: serialNumber ?? '', days } satisfies AccessReason
  if (kind === 'integration_grant')
    return {
      code: 'days_from_system',
      system: apiKeyName ?? '',
      reason: reason ?? '',
      days,
    } satisfies AccessReason
  if (kind === 'imported')
    return { code: 'days_from_import', planName: planName ?? '', days } satisfies AccessReason
  if (kind === 'admin_grant')
    return { code: 'days_from_operator', reason: reason ?? '', days } satisfies AccessReason
  return {
    code: 'days_from_order',
    outTradeNo: outTradeNo ?? '',
    planName: planName ?? '',
    days,
  } satisfies AccessReason
}

function takingOf({ kind, outTradeNo, reason, days, effectiveAt: at }: LedgerEntry): AccessReason {
  if (kind === 'imported') return { code: 'taken_with_import', days: -days }
  return kind === 'refund_revocation'
    ? { code: 'taken_by_refund', outTradeNo: outTradeNo ?? '', days: -days, at }
    : { code: 'taken_by_operator', reason: reason ?? '', days: -days, at }
}

function barrennessOf({ outTradeNo, status, parkReason, isPaid }: BarrenOrder): AccessReason {
  const isUnpaid = canMove(status, 'pay')
  if (parkReason !== null)
    return {
      code: isUnpaid ? 'unpaid_order_parked' : 'paid_order_parked',
      outTradeNo,
      reason: parkReason,
    }
  return isPaid ? { code: 'order_sent_back', outTradeNo } : { code: 'order_unpaid', outTradeNo, status }
}

/** Why a user has access or has none: the state first, then what made it so, then what might still change it. */
export function explainAccess(access: Access): AccessReason[] {
  const { disabledAt, ledger, clocks, barren, requestedDays, remainingDays } = access
  const behind = clocks.filter(({ isUsable }) => !isUsable)
  return [
    ...(disabledAt ? [{ code: 'disabled', at: disabledAt } as const] : []),
    stateOf(access),
    ...ledger.filter(({ unusedDays }) => unusedDays > 0).map(sourceOf),
    ...ledger
      .filter(({ days }) => days < 0)
      .slice(-takingsTold)
      .map(takingOf),
    ...(remainingDays > 0
      ? behind.flatMap(({ feature, expiresAt }) =>
          expiresAt ? [{ code: 'feature_behind', feature, at: expiresAt } as const] : [],
        )
      : []),
    ...barren.map(barrennessOf),
    ...requestedDays.map((days) => ({ code: 'days_requested', days }) as const),
  ]
}
