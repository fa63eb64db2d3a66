import { randomUUID } from 'node:crypto'
import { dayAfter } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { todayInChina } from '../../src/dashboard/days.ts'
import { type Console, signedInConsole } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let viewer: Console
let today: string
let paid: string

const find = async (text: string) => (await viewer.search.find.query({ text })).hits
const numbersOf = async (text: string) =>
  (await find(text)).flatMap((hit) => (hit.kind === 'order' ? [hit.outTradeNo] : []))

/** Unpaid orders of one person at noon of a day, the newest first. */
async function ordersOf(nickname: string, { amountFen, daysAgo = 0, count = 1 }: Planted) {
  const openid = `o${randomUUID()}`
  await world.query('INSERT INTO users (id, openid, nickname) VALUES ($1, $2, $3)', [
    randomUUID(),
    openid,
    nickname,
  ])
  const noon = `${dayAfter(today, -daysAgo)}T12:00:00+08:00`
  const [row] = await world.query<{ ago: string }>(
    `SELECT (business_now() - least($1::timestamptz, business_now()))::text AS ago`,
    [noon],
  )
  return plantOrders(world, { count, openid, amountFen: String(amountFen), ago: row?.ago ?? '0' })
}
type Planted = { amountFen: number; daysAgo?: number; count?: number }

beforeAll(async () => {
  const email = `viewer-${randomUUID().slice(0, 8)}@example.com`
  viewer = (await signedInConsole(world, { email, role: 'viewer' })).console
  const [row] = await world.query<{ now: Date }>('SELECT business_now() AS now')
  if (!row) throw new Error('a clock without a row')
  today = todayInChina(row.now)
  paid = await (await world.phone()).buysAndPays('monthly')
})

describe('an amount and a day', () => {
  test('lead to the orders made or paid on that day for that amount, the newest first', async () => {
    const asked = await ordersOf('两单', { amountFen: 19_900, daysAgo: 9, count: 2 })
    await ordersOf('同日', { amountFen: 19_901, daysAgo: 9 })
    await ordersOf('次日', { amountFen: 19_900, daysAgo: 8 })
    const day = dayAfter(today, -9)
    const [, month = '', date = ''] = day.split('-').map((part) => String(Number(part)))
    for (const text of [`199 ${day}`, `${day} ¥199.00`, `199元 ${month}-${date}`, `${month}月${date}日 199`])
      expect(await numbersOf(text)).toEqual(asked)
    const [hit] = await find(`199 ${day}`)
    expect(hit).toMatchObject({ matched: 'amount_and_day', payer: '两***', createdOn: day, paidOn: null })
  })

  test('of a payment: the order is found by the day it was paid, in words too', async () => {
    for (const text of ['29 today', '今天 29', '¥29.00今天'])
      expect(await find(text)).toEqual([
        expect.objectContaining({ outTradeNo: paid, status: 'paid', amountFen: 2900, paidOn: today }),
      ])
    expect(await numbersOf('29 yesterday')).toEqual([])
    expect(await numbersOf('29 前天')).toEqual([])
  })

  test('an amount alone leads to the five newest orders, and says that there are more', async () => {
    const asked = await ordersOf('很多', { amountFen: 31_415, daysAgo: 40, count: 7 })
    const { hits, more } = await viewer.search.find.query({ text: '314.15' })
    expect(hits.map((hit) => hit.kind === 'order' && hit.outTradeNo)).toEqual(asked.slice(0, 5))
    expect(hits.map(({ matched }) => matched)).toEqual(Array(5).fill('amount'))
    expect(more).toBe(true)
  })

  test('a day alone leads to the newest orders of that day', async () => {
    const asked = await ordersOf('孤日', { amountFen: 100, daysAgo: 77, count: 2 })
    expect(await numbersOf(dayAfter(today, -77))).toEqual(asked)
    expect(await numbersOf(dayAfter(today, 1))).toEqual([])
  })
})

describe('a nickname', () => {
  test('with an amount or a day leads to the orders of that person first', async () => {
    const [asked] = await ordersOf('小明同学', { amountFen: 27_183, daysAgo: 5 })
    await ordersOf('小红', { amountFen: 27_183, daysAgo: 5 })
    const day = dayAfter(today, -5)
    for (const text of ['小明 271.83', `小明 ${day}`, `271.83 ${day} 小明`]) {
      const [first] = await find(text)
      expect(first).toMatchObject({ kind: 'order', matched: 'payer', outTradeNo: asked, payer: '小***' })
    }
    expect((await find('小明 271.84')).filter(({ matched }) => matched === 'payer')).toEqual([])
  })

  test('that holds a number or a sign of SQL is taken by its letters', async () => {
    const [asked] = await ordersOf('100%_\\', { amountFen: 12_345 })
    await ordersOf('100分', { amountFen: 12_345 })
    expect(await find('100%_\\ 123.45')).toContainEqual(
      expect.objectContaining({ matched: 'payer', outTradeNo: asked }),
    )
    expect((await find('%_\\ 123.45')).filter(({ matched }) => matched === 'payer')).toHaveLength(1)
    for (const text of [`'; --`, `' OR 1=1 199`, '\\ 11-20', '\u{1F600}\u{1F600} 199', '199 '.repeat(120)])
      expect(await find(text)).toEqual(expect.any(Array))
  })
})

describe('eight characters', () => {
  test('that end an order and a refund, and are an amount besides, lead to each of them', async () => {
    const [number = ''] = await ordersOf('尾号12345678', { amountFen: 500 })
    await world.query(`INSERT INTO devices (serial_number) VALUES ('SN-12345678')`)
    await world.query(
      `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, platform_refund_id)
       SELECT 'R' || repeat('0', 18) || '12345678', id, 1, 'other', '5030000000000000000012345678'
       FROM orders WHERE out_trade_no = $1`,
      [paid],
    )
    const found = await find('12345678')
    expect(found.map(({ kind, matched }) => [kind, matched])).toEqual([
      ['refund', 'refund_number'],
      ['device', 'serial_number'],
      ['user', 'nickname'],
    ])
    expect(await find('退款单号 5030000000000000000012345678 还没到账')).toEqual([
      expect.objectContaining({ kind: 'refund', matched: 'platform_refund_id' }),
    ])
    expect(await numbersOf(`客户说订单尾号是 ${number.slice(-6)}，麻烦看下`)).toEqual([number])
    expect(await find('设备SN-12345678一直连不上')).toEqual([
      expect.objectContaining({ kind: 'device', serialNumber: 'SN-12345678' }),
    ])
  })
})
