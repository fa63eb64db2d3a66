import { type RefundRow, refundOriginOf } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { exports } from '../../src/doors/files/export-lists.ts'
import { type Console, signedInConsole } from '../world/console.ts'
import { askRefund } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { payTwice, tellRefund } from '../world/virtual-order.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let finance: Console
/** The order of each refund, by who made it. */
let orders: Record<'asked' | 'apple' | 'elsewhere' | 'second' | 'appleSecond', string>
/** The second attempt of an order that was paid twice. */
let secondAttempt: string

/** A second payment that goes back, and its order. */
async function returnSecond(system: 'ios' | 'android') {
  const { outTradeNo, transactionId, paySecond } = await payTwice(world, await world.phone(), system)
  await paySecond()
  await tellRefund(world, { MchOrderId: transactionId, WxRefundId: `second-${transactionId}` })
  return { outTradeNo, transactionId }
}

beforeAll(async () => {
  await openVirtualShop(world, { other: 'jsapi' })
  const signedIn = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  finance = signedIn.console
  const [operator] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  const asked = await (await world.phone()).buysAndPays()
  await askRefund(world, { outTradeNo: asked, amountFen: 1205, operatorId: operator?.id ?? '' })
  const apple = await (await world.phone()).buysAndPaysVirtually({ system: 'ios' })
  await world.platform.refundByApple(apple)
  const elsewhere = await (await world.phone()).buysAndPaysVirtually()
  await tellRefund(world, { MchOrderId: elsewhere, WxRefundId: `told-${elsewhere}` })
  const second = await returnSecond('android')
  const appleSecond = await returnSecond('ios')
  secondAttempt = second.transactionId
  orders = { asked, apple, elsewhere, second: second.outTradeNo, appleSecond: appleSecond.outTradeNo }
})

const list = async (query: object = {}): Promise<RefundRow[]> =>
  (await finance.refund.list.query({ sort: 'oldest', ...query })).items
const numbersOf = (rows: readonly RefundRow[]) => rows.map(({ outTradeNo }) => outTradeNo)

test('a refund has the channel of its order, and knows whether Apple took the payment that it returns', async () => {
  const rows = await list()
  expect(rows.map((row) => [row.outTradeNo, row.channel, row.byApple, refundOriginOf(row)])).toEqual([
    [orders.asked, 'jsapi', false, 'rule'],
    [orders.apple, 'virtual', true, 'apple'],
    [orders.elsewhere, 'virtual', false, 'virtual'],
    [orders.second, 'virtual', false, 'virtual'],
    [orders.appleSecond, 'virtual', true, 'apple'],
  ])
  for (const { outRefundNo, channel, byApple } of rows)
    expect(await finance.refund.detail.query({ outRefundNo })).toMatchObject({ channel, byApple })
})

test('the list of refunds is narrowed to one channel, and so is its sum', async () => {
  expect(numbersOf(await list({ channel: 'jsapi' }))).toEqual([orders.asked])
  expect(numbersOf(await list({ channel: 'virtual', status: 'succeeded' }))).toEqual([
    orders.apple,
    orders.elsewhere,
    orders.second,
    orders.appleSecond,
  ])
  expect(await finance.refund.totals.query({ channel: 'virtual' })).toMatchObject({
    count: 4,
    amountFen: 4 * 2900,
  })
  const later = { channel: 'virtual', from: new Date(Date.now() + 366 * 86_400_000) }
  expect(await list(later)).toEqual([])
})

test('a refund is found by every number of an attempt of its order, and by no other', async () => {
  for (const search of [orders.second, secondAttempt, secondAttempt.toLowerCase()])
    expect(numbersOf(await list({ search }))).toEqual([orders.second])
  expect(secondAttempt).not.toBe(orders.second)
  expect(await list({ search: `M${'0'.repeat(26)}` })).toEqual([])
})

test('the file of refunds ends with the channel, and says who made those that nobody asked for here', async () => {
  const input = { sort: 'oldest' } as const
  const taken = async (language: 'zh' | 'en') => {
    const heads = exports.refunds.heads(language)
    const [by, channel] = [heads.indexOf({ zh: '申请人', en: 'Requested by' }[language]), heads.length - 1]
    expect(heads[channel]).toBe({ zh: '渠道', en: 'Channel' }[language])
    const said: unknown[] = []
    for await (const cells of exports.refunds.lines((page) => page(world.services.database.pool), {
      input,
      language,
      names: 'masked',
      soldName: (soldAs) => soldAs,
    }))
      said.push([cells[by], cells[channel]].map((cell) => (cell && 'text' in cell ? cell.text : null)))
    return said
  }
  expect(await taken('en')).toEqual([
    ['finance@example.com', 'WeChat Pay'],
    ['Apple (outside Meridian)', 'Virtual payment'],
    ['mp.weixin.qq.com (outside Meridian)', 'Virtual payment'],
    ['mp.weixin.qq.com (outside Meridian)', 'Virtual payment'],
    ['Apple (outside Meridian)', 'Virtual payment'],
  ])
  expect((await taken('zh'))[1]).toEqual(['Apple（系统外）', '虚拟支付'])
  expect(exports.refunds.tell({ channel: 'virtual' }, 'en')).toEqual(['Channel: Virtual payment'])
  expect(exports.refunds.tell({ channel: 'virtual' }, 'zh')).toEqual(['渠道：虚拟支付'])
})
