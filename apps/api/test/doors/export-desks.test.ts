import type { ExportName } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { type FileFormat, openFile, takeFile } from '../world/take-file.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
const visitors: Partial<Record<'owner' | 'finance' | 'operator' | 'viewer', Visitor>> = {}
const numbers = { paid: '', parked: '', userId: '' }
const visitor = (role: keyof typeof visitors) => visitors[role] ?? expect.fail(`there is no ${role}`)

beforeAll(async () => {
  for (const role of ['owner', 'finance', 'operator', 'viewer'] as const)
    visitors[role] = await signedInConsole(world, { email: `${role}@example.com`, role })
  numbers.paid = await (await world.phone()).buysAndPays('monthly')
  numbers.parked = (await payLate(world, { policy: 'ask' })).outTradeNo
  await world.query(
    `INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at)
     VALUES ('2026-01-15', 'matched', 2900, 2900, 0, business_now())`,
  )
  await world.query(
    `INSERT INTO reconciliation_differences (date, kind, subject, out_trade_no, ours, suggested_action, bill_gap_fen,
       ledger_gap_fen) VALUES ('2026-01-15', 'ours_only', $1, $1, '{}', 'ask_platform', -2950, 1450)`,
    [numbers.paid],
  )
  await world.query(
    `INSERT INTO shipping_uploads (order_id, state, last_code) SELECT id, 'failed', '10060031' FROM orders WHERE out_trade_no = $1
     ON CONFLICT (order_id) DO UPDATE SET state = 'failed', last_code = '10060031'`,
    [numbers.paid],
  )
  const [reported] = await world.query<{ user_id: string }>(
    `INSERT INTO reports (id, user_id, client_report_id, kind, started_at, ended_at, summary, measurements)
     SELECT gen_random_uuid(), user_id, 'r1', 'scan', business_now(), business_now(), '{"score": 81.4375}', '[{"posture": 42}]'
     FROM orders WHERE out_trade_no = $1 RETURNING user_id`,
    [numbers.paid],
  )
  numbers.userId = reported?.user_id ?? ''
})

type Asked = { role?: keyof typeof visitors; query?: object; language?: 'zh-CN' | 'en' }

const take = (name: ExportName, format: FileFormat, { role = 'owner', ...asked }: Asked = {}) =>
  takeFile(world, { name, format, token: visitor(role).token, ...asked })

const open = (name: ExportName, format: FileFormat, { role = 'owner', ...asked }: Asked = {}) =>
  openFile(world, { name, format, token: visitor(role).token, ...asked })

describe.each(['csv', 'xlsx'] as const)('a desk opened in a spreadsheet from its %s', (format) => {
  test('names what the platform told us and what became of it', async () => {
    const { rows, mark } = await open('notifications', format, { query: { outcome: 'applied' } })
    const ofOrder = rows.find((row) => row['Order number'] === numbers.paid)
    expect(ofOrder).toMatchObject({
      'Notification ID': expect.any(String),
      Outcome: 'Applied',
      Type: 'Payment succeeded',
      Deliveries: 1,
      'First delivery (Beijing time)': expect.any(Date),
    })
    expect(mark[3]).toBe('Filter: Outcome: Applied')
  })

  test('holds a day of the books with its sums, and its difference with the sign it has', async () => {
    expect((await open('days', format)).rows).toMatchObject([
      {
        'Bill date': '2026-01-15',
        Status: 'Matched',
        'Orders (yuan)': 29,
        'Bill (yuan)': 0,
        Explained: expect.any(String),
      },
    ])
    const differences = await open('differences', format, {
      query: { state: 'open', channel: 'jsapi' },
      language: 'zh-CN',
    })
    expect(differences.rows).toMatchObject([
      {
        账单日: '2026-01-15',
        类型: '仅我方有',
        状态: '未解决',
        订单号: numbers.paid,
        '账单减订单（元）': -29.5,
        '订单减账本（元）': 14.5,
        建议: '建议：询问平台',
        负责人: null,
      },
    ])
    expect(differences.mark[3]).toBe('筛选：状态：未解决；渠道：微信支付')
    expect((await open('differences', format)).rows).toMatchObject([
      { 'Bill less orders (yuan)': -29.5, 'Orders less ledger (yuan)': 14.5 },
    ])
  })

  test('says why an order is on hold, and which shipping information failed', async () => {
    const { rows } = await open('parked', format)
    expect(rows).toMatchObject([
      { 'Order number': numbers.parked, Reason: 'Late payment', 'Amount (yuan)': 29, 'Days given': 'No' },
    ])
    expect((await open('parked', format, { query: { left: true } })).rows).toEqual([])
    const shipments = await open('shipments', format, { query: { state: 'failed' } })
    expect(shipments.rows).toMatchObject([
      { 'Order number': numbers.paid, Status: 'Upload failed', 'Last error': '10060031' },
    ])
  })

  test('lists reports without what was measured, and operators with their role in words', async () => {
    const { rows } = await open('reports', format, { role: 'operator' })
    expect(rows).toMatchObject([{ Type: 'Scan', 'User ID': numbers.userId }])
    const { file } = await take('reports', 'csv')
    expect(file.toString('utf8')).not.toMatch(/posture|81\.4375/)
    const staff = await open('staff', format, { query: { role: 'finance' }, language: 'zh-CN' })
    expect(staff.rows).toMatchObject([{ 邮箱: 'finance@example.com', 角色: '财务', 状态: '可用' }])
    expect(staff.mark[3]).toBe('筛选：角色：财务')
  })
})

test.each([
  ['notifications', ['finance', 'owner']],
  ['days', ['finance', 'owner']],
  ['differences', ['finance', 'owner']],
  ['shipments', ['finance', 'owner']],
  ['inquiries', ['finance', 'owner']],
  ['parked', ['finance', 'owner']],
  ['reports', ['operator', 'owner']],
  ['staff', ['owner']],
] as const)('the file of %s is for %j alone', async (name, allowed) => {
  const roles = ['viewer', 'operator', 'finance', 'owner'] as const
  const answers = await Promise.all(
    roles.map(async (role) => ({ role, status: (await take(name, 'csv', { role })).answer.status })),
  )
  expect(answers.filter(({ status }) => status === 200).map(({ role }) => role)).toEqual(allowed)
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(roles.length - allowed.length)
})
