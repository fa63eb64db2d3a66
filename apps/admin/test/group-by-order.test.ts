import type { AlertRow } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { groupByOrder } from '../src/features/alerts/group-by-order.ts'

const at = new Date('2026-11-23T00:00:00Z')

const alert = (id: string, outTradeNo: string | null, detail: AlertRow['detail'] = {}): AlertRow => ({
  id,
  kind: 'payment_mismatch',
  subject: outTradeNo ?? 'R1',
  outTradeNo,
  outRefundNo: outTradeNo ? null : 'R1',
  detail,
  times: 1,
  openedAt: at,
  lastAt: at,
  ownerEmail: null,
  resolvedByEmail: null,
  resolution: null,
  resolvedAt: null,
})

test('alerts of one order stand beneath the first of them, a refund’s with those of its order', () => {
  const rows = [alert('1', 'M1'), alert('2', 'M2'), alert('3', null, { order: 'M1' }), alert('4', null)]
  expect(groupByOrder(rows).map(({ id, isSameOrder }) => [id, isSameOrder])).toEqual([
    ['1', false],
    ['3', true],
    ['2', false],
    ['4', false],
  ])
})
