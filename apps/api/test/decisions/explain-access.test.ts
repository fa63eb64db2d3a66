import type { AccessReason, LedgerEntry } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { type Access, type BarrenOrder, explainAccess } from '../../src/subscriptions/explain-access.ts'

const began = new Date('2026-05-01T00:00:00Z')
const ends = new Date('2026-06-01T00:00:00Z')

const entry = (changes: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ seq: 1, kind: 'purchase', days: 30, unusedDays: 0, features: [], planName: null },
  ...{ effectiveAt: began, expiresBefore: null, expiresAfter: ends, outTradeNo: null },
  ...{
    outRefundNo: null,
    serialNumber: null,
    reason: null,
    operatorEmail: null,
    apiKeyName: null,
    ...changes,
  },
})
const explain = (changes: Partial<Access>): AccessReason[] =>
  explainAccess({
    ...{ disabledAt: null, expiresAt: ends, remainingDays: 0, ledger: [entry({})] },
    ...{ clocks: [], barren: [], requestedDays: [], ...changes },
  })

describe('the state is told first', () => {
  test('nobody had days whose ledger is empty, or whose subscription has no end', () => {
    expect(explain({ ledger: [], remainingDays: 3 })).toEqual([{ code: 'never_had_days' }])
    expect(explain({ expiresAt: null, remainingDays: 3 })).toEqual([{ code: 'never_had_days' }])
  })

  test('days that are left make it active until its end, and none make it ended then', () => {
    expect(explain({ remainingDays: 1 })).toEqual([{ code: 'active_until', at: ends, days: 1 }])
    expect(explain({ remainingDays: 0 })).toEqual([{ code: 'ended', at: ends }])
  })

  test('behind an account that was disabled', () => {
    expect(explain({ disabledAt: began })).toEqual([
      { code: 'disabled', at: began },
      { code: 'ended', at: ends },
    ])
  })
})

test('the sources of days that lie ahead are named, and none that are used up', () => {
  const ledger = [
    entry({ kind: 'trial', serialNumber: 'SN-1', unusedDays: 2 }),
    entry({ kind: 'admin_grant', reason: 'broken device', unusedDays: 1 }),
    entry({ kind: 'integration_grant', apiKeyName: 'CRM', reason: 'kept waiting', unusedDays: 7 }),
    entry({ outTradeNo: 'M1', planName: 'Monthly', unusedDays: 30 }),
    entry({ kind: 'trial', serialNumber: 'SN-2', unusedDays: 0 }),
  ]
  expect(explain({ remainingDays: 40, ledger }).slice(1)).toEqual([
    { code: 'days_from_trial', serialNumber: 'SN-1', days: 2 },
    { code: 'days_from_operator', reason: 'broken device', days: 1 },
    { code: 'days_from_system', system: 'CRM', reason: 'kept waiting', days: 7 },
    { code: 'days_from_order', outTradeNo: 'M1', planName: 'Monthly', days: 30 },
  ])
})

test('a source of which nothing is known any more is told without its name', () => {
  const ledger = (['trial', 'admin_grant', 'purchase'] as const).map((kind) => entry({ kind, unusedDays: 1 }))
  expect(explain({ remainingDays: 3, ledger }).slice(1)).toEqual([
    { code: 'days_from_trial', serialNumber: '', days: 1 },
    { code: 'days_from_operator', reason: '', days: 1 },
    { code: 'days_from_order', outTradeNo: '', planName: '', days: 1 },
  ])
})

describe('what was taken', () => {
  test('by a refund or by hand is told with its days and when', () => {
    const ledger = [
      entry({ kind: 'refund_revocation', outTradeNo: 'M1', days: -10 }),
      entry({ kind: 'admin_grant', reason: 'shared the account', days: -4 }),
      entry({ kind: 'refund_revocation', days: -1 }),
      entry({ kind: 'admin_grant', days: -2 }),
      entry({ kind: 'refund_revocation', outTradeNo: 'M2', days: 0 }),
    ]
    expect(explain({ ledger }).slice(1)).toEqual([
      { code: 'taken_by_refund', outTradeNo: 'M1', days: 10, at: began },
      { code: 'taken_by_operator', reason: 'shared the account', days: 4, at: began },
      { code: 'taken_by_refund', outTradeNo: '', days: 1, at: began },
      { code: 'taken_by_operator', reason: '', days: 2, at: began },
    ])
  })

  test('is told of the last five times, the latest last', () => {
    const ledger = [6, 5, 4, 3, 2, 1].map((days) => entry({ kind: 'refund_revocation', days: -days }))
    expect(explain({ ledger }).flatMap((reason) => ('days' in reason ? [reason.days] : []))).toEqual([
      5, 4, 3, 2, 1,
    ])
  })
})

describe('a feature that stayed behind', () => {
  const clocks = [
    { feature: 'ended', expiresAt: began, isUsable: false },
    { feature: 'usable', expiresAt: ends, isUsable: true },
    { feature: 'without an end', expiresAt: null, isUsable: false },
    { feature: 'free', expiresAt: null, isUsable: true },
  ]

  test('is told with its end while the subscription goes on', () => {
    expect(explain({ remainingDays: 1, clocks }).slice(1)).toEqual([
      { code: 'feature_behind', feature: 'ended', at: began },
    ])
  })

  test('is not told once the subscription itself is over', () => {
    expect(explain({ remainingDays: 0, clocks })).toEqual([{ code: 'ended', at: ends }])
  })
})

describe('an order that brought no days', () => {
  const told = (changes: Partial<BarrenOrder>) =>
    explain({
      barren: [{ outTradeNo: 'M1', status: 'prepay', parkReason: null, isPaid: false, ...changes }],
    }).slice(1)

  test.each(['created', 'prepay', 'closed'] as const)('is called unpaid when it is parked %s', (status) => {
    expect(told({ status, parkReason: 'unpaid_and_forgotten' })).toEqual([
      { code: 'unpaid_order_parked', outTradeNo: 'M1', reason: 'unpaid_and_forgotten' },
    ])
  })

  test.each(['paid', 'refunded'] as const)('is called paid when it is parked %s', (status) => {
    expect(told({ status, parkReason: 'late_payment', isPaid: true })).toEqual([
      { code: 'paid_order_parked', outTradeNo: 'M1', reason: 'late_payment' },
    ])
  })

  test('is unpaid, or its money went back', () => {
    expect(told({ status: 'created' })).toEqual([
      { code: 'order_unpaid', outTradeNo: 'M1', status: 'created' },
    ])
    expect(told({ status: 'closed', isPaid: true })).toEqual([{ code: 'order_sent_back', outTradeNo: 'M1' }])
  })
})

test('days that wait for a second person are told last', () => {
  const barren = [{ outTradeNo: 'M1', status: 'prepay', parkReason: null, isPaid: false } as const]
  expect(explain({ barren, requestedDays: [40, -60] }).map(({ code }) => code)).toEqual([
    'ended',
    'order_unpaid',
    'days_requested',
    'days_requested',
  ])
  expect(explain({ requestedDays: [40] }).at(-1)).toEqual({ code: 'days_requested', days: 40 })
})
