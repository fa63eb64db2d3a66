import { type ExportName, exportPermissions } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { hire, signedInConsole } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { userIdOf } from '../world/somebody.ts'
import { type FileFormat, openFile, takeFile } from '../world/take-file.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
const roles = ['viewer', 'operator', 'finance', 'owner'] as const
const visitors = new Map<(typeof roles)[number], Visitor>()
const visitor = (role: (typeof roles)[number]) => visitors.get(role) ?? expect.fail(`there is no ${role}`)
const known = { paid: '', late: '', userId: '', openid: '', nickname: '李静怡' }

beforeAll(async () => {
  for (const role of roles)
    visitors.set(role, await signedInConsole(world, { email: `${role}@example.com`, role }))
  const phone = await world.phone()
  known.paid = await phone.buysAndPays('monthly')
  known.userId = await userIdOf(world, phone)
  await world.query(`UPDATE users SET nickname = $2 WHERE id = $1`, [known.userId, known.nickname])
  const [user] = await world.query<{ openid: string }>('SELECT openid FROM users WHERE id = $1', [
    known.userId,
  ])
  known.openid = user?.openid ?? expect.fail('there is no user')
  known.late = (await payLate(world, { policy: 'ask' })).outTradeNo
  const operatorId = await hire(world, { email: 'desk@example.com', role: 'finance' })
  await refundToItsEnd(world, { outTradeNo: known.paid, amountFen: 1450, operatorId })
  await world.query(
    `INSERT INTO grant_requests (user_id, days, reason, requested_by, state, decided_by, decided_at)
     VALUES ($1, 60, 'device was broken', $2, 'approved', (SELECT id FROM operators WHERE email = 'owner@example.com'), business_now()), ($1, 90, '=1+1', $2, 'requested', NULL, NULL)`,
    [known.userId, operatorId],
  )
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     VALUES ('setting', 'refund_approval_threshold_fen', '{"value": 0}', '{"value": 100}', $1)`,
    [operatorId],
  )
  await world.query(
    `INSERT INTO alerts (kind, subject, detail, resolution, resolved_at)
     VALUES ('order_parked', $1, '{}', 'healed: order_decided', business_now()), ('job_dead', 'sweep', '{"severity": "warning"}', NULL, NULL)`,
    [known.paid],
  )
  await world.query(
    `INSERT INTO rejected_deliveries (reason, source, headers, body)
     VALUES ('bad_signature', '203.0.113.9', '{"wechatpay-serial": "PUB_KEY_ID_1", "authorization": "secret"}', 'body')`,
  )
})

type Asked = { role?: (typeof roles)[number]; query?: object; language?: 'zh-CN' | 'en' }

const take = (name: ExportName, format: FileFormat, { role = 'owner', ...asked }: Asked = {}) =>
  takeFile(world, { name, format, token: visitor(role).token, ...asked })

const open = (name: ExportName, format: FileFormat, { role = 'owner', ...asked }: Asked = {}) =>
  openFile(world, { name, format, token: visitor(role).token, ...asked })

const countOf = async (sql: string) =>
  (await world.query<{ n: number }>(`SELECT count(*)::int AS n ${sql}`))[0]?.n

describe.each(['csv', 'xlsx'] as const)('a %s', (format) => {
  test('of alerts says what they are and how they ended in words, as many as there are', async () => {
    const resolved = await open('alerts', format, { query: { state: 'resolved' } })
    expect(resolved.rows).toContainEqual(
      expect.objectContaining({
        Alert: 'Order on hold',
        Severity: 'Warning',
        'Order number': known.paid,
        Resolution: 'the order was decided',
        'Resolved (Beijing time)': expect.any(Date),
      }),
    )
    const open_ = await open('alerts', format, { query: { kind: 'job_dead' }, language: 'zh-CN' })
    expect(open_.rows).toMatchObject([{ 告警: '后台任务已放弃重试', 严重程度: '一般', 对象: 'sweep' }])
    expect(open_.mark[3]).toBe('筛选：状态：未解决；告警：后台任务已放弃重试')
    const all = await open('alerts', format, { query: {} })
    expect(all.rows).toHaveLength((await countOf('FROM alerts WHERE resolved_at IS NULL')) ?? -1)
  })

  test('of rejected deliveries names reason and sender, and nothing that was in them', async () => {
    const { rows } = await open('rejected', format)
    expect(rows).toMatchObject([
      {
        Reason: 'Invalid signature',
        'Source address': '203.0.113.9',
        'Platform key serial': 'PUB_KEY_ID_1',
        Bytes: 4,
      },
    ])
    expect(Object.keys(rows[0] ?? {})).toHaveLength(5)
  })

  test('of approvals holds all that waits, from wherever it is kept', async () => {
    const { rows } = await open('approvals', format)
    expect(rows.map((row) => row['What'])).toEqual(['Adjust days', 'Setting'])
    expect(rows[1]).toMatchObject({
      Subject: 'refund_approval_threshold_fen',
      Before: '{"value":0}',
      After: '{"value":100}',
      'Requested by': 'desk@example.com',
    })
  })

  test('of requests for days tells who asked, who decided, and that a reason is no formula', async () => {
    const { rows } = await open('grants', format, { query: { userId: known.userId } })
    expect(rows).toMatchObject([
      { Days: 60, Reason: 'device was broken', Status: 'Approved', 'Decided by': 'owner@example.com' },
      { Days: 90, Status: 'Awaiting approval', 'Decided by': null },
    ])
    const waiting = await open('grants', format, { query: { state: 'requested' }, language: 'zh-CN' })
    expect(waiting.rows).toMatchObject([{ 天数: 90, 用户编号: known.userId }])
    expect(waiting.mark[3]).toBe('筛选：状态：待审批')
  })

  test('of a ledger holds every entry of one user, and its days are those of the database', async () => {
    const { rows } = await open('ledger', format, { query: { userId: known.userId } })
    expect(rows).toMatchObject([
      { Entry: 1, Type: 'Purchase', 'Order number': known.paid, Plan: expect.any(String) },
      { Type: 'Revoked by refund', 'Refund number': expect.stringMatching(/^R/) },
    ])
    const days = rows.reduce((sum, row) => sum + Number(row['Days']), 0)
    const [stored] = await world.query<{ days: number }>(
      'SELECT sum(days)::int AS days FROM grants WHERE user_id = $1',
      [known.userId],
    )
    expect(days).toBe(stored?.days)
  })

  test('of the audit log holds every act of the filter, and who took it', async () => {
    const acts = 'FROM audit_entries WHERE action = $1'
    const { rows, mark } = await open('audit', format, { query: { action: 'operator.enrol' } })
    const [stored] = await world.query<{ n: number }>(`SELECT count(*)::int AS n ${acts}`, ['operator.enrol'])
    expect(rows).toHaveLength(stored?.n ?? -1)
    expect(mark[3]).toBe('Filter: Action code: operator.enrol')
    const taken = await open('audit', format, { query: { action: 'export.start', search: 'audit' } })
    expect(taken.rows[0]).toMatchObject({ Operator: 'owner@example.com', 'Subject ID': 'audit' })
  })
})

test('none of these files says who a customer is', async () => {
  const queries = { grants: { userId: known.userId }, ledger: { userId: known.userId } }
  for (const name of ['alerts', 'rejected', 'approvals', 'grants', 'ledger', 'audit'] as const) {
    const query = name === 'grants' || name === 'ledger' ? queries[name] : {}
    const { file } = await take(name, 'csv', { query })
    expect(file.toString('utf8')).not.toContain(known.openid)
    expect(file.toString('utf8')).not.toContain(known.nickname)
  }
})

test('the ledger of nobody is no file', async () => {
  const { answer } = await take('ledger', 'csv', { query: {} })
  expect(answer.status).toBe(400)
})

test.each([
  ['alerts', ['finance', 'owner']],
  ['rejected', ['finance', 'owner']],
  ['approvals', ['finance', 'owner']],
  ['grants', ['finance', 'owner']],
  ['audit', ['owner']],
] as const)('the file of %s is for %j alone', async (name, allowed) => {
  const answers = await Promise.all(
    roles.map(async (role) => ({ role, status: (await take(name, 'csv', { role })).answer.status })),
  )
  expect(answers.filter(({ status }) => status === 200).map(({ role }) => role)).toEqual(allowed)
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(roles.length - allowed.length)
})

test('each of them is in the audit log twice, and may be left to a worker', async () => {
  const { console } = visitor('owner')
  for (const list of ['alerts', 'rejected', 'approvals', 'grants', 'audit'] as const) {
    expect(Object.hasOwn(exportPermissions, list)).toBe(true)
    expect(await console.export.length.query({ list, query: {} })).toMatchObject({ more: false })
    const written = await world.query<{ action: string }>(
      `SELECT DISTINCT action FROM audit_entries WHERE subject_type = 'list' AND subject_id = $1 ORDER BY action`,
      [list],
    )
    expect(written.map(({ action }) => action)).toEqual(['export.finish', 'export.start'])
  }
})
