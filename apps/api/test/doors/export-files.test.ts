import type { ExportName } from '@meridian/contracts'
import superjson from 'superjson'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleToken, idOf, signedInConsole } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { askRefund, refundToItsEnd } from '../world/send-refund.ts'
import { type FileFormat, openFile, takeFile } from '../world/take-file.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: Awaited<ReturnType<typeof signedInConsole>>
let phone: Phone
let outTradeNo: string
/** Digits alone, and too many of them for a number. */
const serialNumber = '0012345678901234567890'

beforeAll(async () => {
  finance = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  outTradeNo = purchase.order.out_trade_no
  const [operator] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  await askRefund(world, { outTradeNo, amountFen: 1205, operatorId: operator?.id ?? '' })
  await phone.call('/me', { method: 'PUT', body: { nickname: '2026-11-20' } })
  await phone.call('/devices/bind', {
    method: 'POST',
    body: { serial_number: serialNumber, model: '1E10' },
  })
})

type Asked = { query?: object; language?: 'zh-CN' | 'en' }

const take = (name: ExportName, format: FileFormat, asked: Asked = {}) =>
  takeFile(world, { name, format, token: finance.token, ...asked })

const open = (name: ExportName, format: FileFormat, asked: Asked = {}) =>
  openFile(world, { name, format, token: finance.token, ...asked })

const stored = async () => {
  const [order] = await world.query<{ id: string; transaction: string; at: string; refund: string }>(
    `SELECT o.user_id AS id, o.transaction_id AS transaction, r.out_refund_no AS refund,
            to_char(o.created_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD"T"HH24:MI:SS') AS at
       FROM orders o JOIN refunds r ON r.order_id = o.id WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  if (!order) throw new Error('the order is there')
  return order
}

describe.each(['csv', 'xlsx'] as const)('a list opened in a spreadsheet from its %s', (format) => {
  test('keeps an order’s 28 digits of the transaction text, its amounts numbers and its times times', async () => {
    const { id, transaction, at } = await stored()
    expect(transaction).toMatch(/^\d{28}$/)
    const { rows } = await open('orders', format, { query: { status: 'paid' } })
    expect(rows).toEqual([
      {
        'Order number': outTradeNo,
        Status: 'Paid',
        'Plan code': 'monthly',
        Plan: expect.any(String),
        'Amount (yuan)': 29,
        'Refunded (yuan)': 0,
        'User ID': id,
        'WeChat transaction ID': transaction,
        'Confirmed by': 'Payment notification',
        'Late payment': 'No',
        'On hold': 'No',
        'Created (Beijing time)': new Date(`${at}Z`),
        'Paid (Beijing time)': expect.any(Date),
        Channel: 'WeChat Pay',
        Tags: null,
        'Net to date (yuan)': 29,
        'Fee (yuan)': null,
      },
    ])
  })

  test('says a refund in words', async () => {
    const { refund } = await stored()
    const { rows } = await open('refunds', format, { language: 'zh-CN' })
    expect(rows).toMatchObject([
      {
        退款单号: refund,
        订单号: outTradeNo,
        '金额（元）': 12.05,
        状态: '已批准',
        原因: '用户申请',
        保留天数: '否',
        申请人: 'finance@example.com',
        '申请时间（北京时间）': expect.any(Date),
        '退款时间（北京时间）': null,
        渠道: '微信支付',
      },
    ])
  })

  test('keeps devices, users and subscriptions what they are', async () => {
    const { id } = await stored()
    const devices = await open('devices', format, { language: 'zh-CN' })
    expect(devices.rows).toMatchObject([
      { 序列号: serialNumber, 型号: '1E10', 来源: '用户绑定', 可证明: '否', 用户编号: id },
    ])
    const users = await open('users', format)
    expect(users.rows).toMatchObject([{ 'User ID': id, Status: 'Active', Devices: 1 }])
    const subscriptions = await open('subscriptions', format, { language: 'zh-CN' })
    expect(subscriptions.rows).toMatchObject([
      { 用户编号: id, 状态: '有效', 剩余天数: expect.any(Number), 包含功能: '手动理疗、报告详情' },
    ])
  })

  test('runs no formula and takes no text for a number, a date or a truth value', async () => {
    const texts = [
      '=1+1',
      '+1',
      '-1',
      '@a',
      '1E5',
      '2026-11-20',
      '1/2',
      '12%',
      'TRUE',
      'Mar-3',
      '_x0041_',
      '"',
    ]
    for (const planCode of texts) await plantOrders(world, { count: 1, planCode, openid: phone.openid })
    for (const planCode of texts) {
      const { rows } = await open('orders', format, { query: { planCode } })
      expect(String(rows[0]?.['Plan code']).replace(/^'/, '')).toBe(planCode)
      expect(rows[0]?.['Plan code']).toBeTypeOf('string')
    }
  })

  test('ends with who took it, when and by which filter, in words', async () => {
    const query = {
      status: 'paid',
      planCode: 'monthly',
      confirmedBy: 'notification',
      from: new Date('2020-01-31T16:00:00Z'),
      to: new Date('2120-02-28T16:00:00Z'),
      paidFrom: new Date('2020-01-31T16:00:01Z'),
      minAmountFen: 100,
      maxAmountFen: 990_005,
    }
    const chinese = await open('orders', format, { query, language: 'zh-CN' })
    expect(chinese.mark).toEqual([
      '共 1 行',
      '由 finance@example.com 导出',
      expect.stringMatching(/^导出时间：\d{4}-\d\d-\d\d \d\d:\d\d:\d\d（北京时间）$/),
      '筛选：状态：已支付；套餐代码：monthly；创建时间：2020-02-01 至 2120-02-28；支付时间：2020-02-01 00:00:01 起；确认方式：支付通知；金额（元）：1.00 至 9900.05',
    ])
    const english = await open('orders', format, { query })
    expect(english.mark[3]).toBe(
      'Filter: Status: Paid; Plan code: monthly; Created: 2020-02-01 to 2120-02-28; Paid: from 2020-02-01 00:00:01; Confirmed by: Payment notification; Amount (yuan): 1.00 to 9900.05',
    )
    expect((await open('refunds', format)).mark[3]).toBe('Filter: none')
    const states = {
      subscriptions: { daysLeft: 90 },
      users: { state: 'active' },
      devices: { inventory: false },
    }
    expect((await open('subscriptions', format, { query: states.subscriptions })).mark[3]).toBe(
      'Filter: Expires: within 90 days',
    )
    expect((await open('users', format, { query: states.users })).mark[3]).toBe('Filter: Status: Active')
    expect((await open('devices', format, { query: states.devices })).mark[3]).toBe(
      'Filter: Origin: Bound by a user',
    )
  })
})

test('a file is named and typed for what it is, and no other form is given', async () => {
  const { answer } = await take('orders', 'xlsx')
  expect(answer.headers.get('content-type')).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="orders.xlsx"')
  const other = await fetch(`${world.url}/console/exports/orders?format=pdf`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-token': await consoleToken(world),
      authorization: `Bearer ${finance.token}`,
    },
    body: superjson.stringify({}),
  })
  expect(other.status).toBe(400)
})

test('an order of which a part went back is called so, in both languages, with what is left of it', async () => {
  const other = await world.phone()
  const paid = await other.buysAndPays('yearly')
  const operatorId = await idOf(world, 'finance@example.com')
  await refundToItsEnd(world, { outTradeNo: paid, amountFen: 1_00, operatorId })
  const query = { planCode: 'yearly' }
  const english = (await open('orders', 'csv', { query })).rows
  expect(english).toMatchObject([{ Status: 'Partly refunded', 'Refunded (yuan)': 1 }])
  const chinese = (await open('orders', 'csv', { query, language: 'zh-CN' })).rows
  expect(chinese).toMatchObject([{ 状态: '部分退款', '已退款（元）': 1 }])
  expect(english[0]?.['Net to date (yuan)']).toBe(Number(english[0]?.['Amount (yuan)']) - 1)
})
