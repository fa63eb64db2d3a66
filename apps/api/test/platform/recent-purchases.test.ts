import { expect, test } from 'vitest'
import { openRecentPurchases, type RecentPurchases } from '../../src/orders/recent-purchases.ts'
import { samplePayment } from '../statements/sample-delivery.ts'

const minuteMs = 60_000
const inMinutes = (minutes: number) => performance.now() + minutes * minuteMs

const open = (recent: RecentPurchases, number: string, openid = 'oBuyer') =>
  recent.openedOrder({ number, openid, userId: '00000000-0000-7000-8000-000000000002', row: '{}' })
const numbersOf = (purchases: readonly { number: string }[]) => purchases.map(({ number }) => number)

test('what was told is to be looked for after a minute and before it is forgotten, and then never again', () => {
  const recent = openRecentPurchases()
  open(recent, 'M1')
  expect(recent.due(inMinutes(0))).toEqual([])
  const due = recent.due(inMinutes(1))
  expect(numbersOf(due)).toEqual(['M1'])
  recent.found(due, inMinutes(1))
  expect(recent.due(inMinutes(14))).toEqual([])
  expect(recent.due(inMinutes(15))).toEqual(due)
  expect(numbersOf(recent.all())).toEqual(['M1'])
  recent.found(due, inMinutes(15))
  expect(recent.all()).toEqual([])
})

test('what nobody could look for is kept for as long as that lasts', () => {
  const recent = openRecentPurchases()
  open(recent, 'M1')
  expect(numbersOf(recent.due(inMinutes(600)))).toEqual(['M1'])
  expect(numbersOf(recent.all())).toEqual(['M1'])
})

test('what was made again is kept as if it had been told just now', () => {
  const recent = openRecentPurchases()
  open(recent, 'M1')
  recent.found(recent.all(), inMinutes(1))
  recent.renew(inMinutes(14))
  open(recent, 'M2')
  recent.forget(recent.all().slice(1))
  expect(recent.due(inMinutes(14.5))).toEqual([])
  expect(numbersOf(recent.due(inMinutes(15)))).toEqual(['M1'])
})

test('more than ten thousand are never kept: the oldest give way', () => {
  const recent = openRecentPurchases()
  for (let number = 0; number <= 10_000; number += 1) open(recent, `M${number}`)
  const kept = numbersOf(recent.all())
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([10_000, 'M1', 'M10000'])
})

test('nothing is left of a payer whose account is erased', async () => {
  const recent = openRecentPurchases()
  const { payment } = await samplePayment()
  recent.tookPayment(payment)
  open(recent, 'M1', payment.payerOpenid ?? '')
  recent.signedAttempt({ number: 'M2', openid: payment.payerOpenid ?? '', outTradeNo: 'M1' })
  open(recent, 'M3', 'oOther')
  recent.forgetPayer(payment.payerOpenid ?? '')
  expect(numbersOf(recent.all())).toEqual(['M3'])
})
