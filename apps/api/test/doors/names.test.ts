import { beforeAll, expect, test } from 'vitest'
import { consoleToken, problemOf, signedInConsole } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
let owner: Visitor
let bought: { outTradeNo: string; userId: string }
const nickname = '海边的小明'
const reason = 'callers say their names today'
const masked = '海***'

const visit = (role: 'viewer' | 'operator' | 'finance' | 'owner') =>
  signedInConsole(world, { email: `${role}@names.test`, role })

beforeAll(async () => {
  owner = await visit('owner')
  const phone = await world.phone()
  await phone.call('/me', { method: 'PUT', body: { nickname } })
  const outTradeNo = await phone.buysAndPays('monthly')
  const [row] = await world.query<{ userId: string }>(
    `SELECT user_id AS "userId" FROM orders WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  if (!row) throw new Error('the order is not there')
  bought = { ...row, outTradeNo }
  await world.query(
    `WITH device AS (INSERT INTO devices (serial_number) VALUES ('SN-NAMES') RETURNING serial_number)
     INSERT INTO bindings (serial_number, user_id) SELECT serial_number, $1 FROM device`,
    [row.userId],
  )
  await owner.console.refund.request.mutate({
    outTradeNo,
    amountFen: 100,
    keepDays: false,
    reason: 'user_request',
    note: '',
    reservedFen: 0,
  })
})

/** The name of the one user, wherever a session is shown it. */
async function namesIn({ console }: Visitor): Promise<(string | null | undefined)[]> {
  const { outTradeNo, userId } = bought
  const [orders, refunds, subscriptions, devices, device, users, user, ofUser, ofOrder, byNumber, byName] =
    await Promise.all([
      console.order.list.query({ search: outTradeNo }),
      console.refund.list.query({}),
      console.subscription.list.query({ search: userId }),
      console.device.list.query({}),
      console.device.detail.query({ serialNumber: 'SN-NAMES' }),
      console.user.list.query({}),
      console.user.detail.query({ id: userId }),
      console.user.card.query({ userId }),
      console.user.card.query({ outTradeNo }),
      console.search.find.query({ text: outTradeNo }),
      console.search.find.query({ text: '小明' }),
    ])
  return [
    ...[orders, refunds, subscriptions, devices].map(({ items: [first] }) => first?.customer),
    device.bindings[0]?.customer,
    users.items[0]?.nickname,
    user.nickname,
    ofUser.user.nickname,
    ofOrder.user.nickname,
    ...byNumber.hits.map((hit) => hit.kind === 'order' && hit.payer),
    ...byName.hits.map((hit) => hit.kind === 'user' && hit.nickname),
  ].map((name) => name || null)
}

const everywhere = (name: string) => Array(11).fill(name)
const audited = () =>
  world.query<{ action: string; after: unknown }>(
    `SELECT action, after FROM audit_entries WHERE action LIKE 'names.%' ORDER BY id`,
  )

async function exportUsers({ token }: Visitor): Promise<string> {
  const answer = await fetch(`${world.url}/console/exports/users?format=csv`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-console-token': await consoleToken(world),
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ json: {} }),
  })
  return answer.text()
}

test('names are masked in every list, hit and detail, and shown to the one session that revealed them', async () => {
  const other = await visit('owner')
  expect(await namesIn(owner)).toEqual(everywhere(masked))
  expect(await owner.console.operator.revealNames.mutate({ reason })).toEqual({ namesRevealed: true })
  expect(await namesIn(owner)).toEqual(everywhere(nickname))
  expect((await owner.console.operator.context.query()).namesRevealed).toBe(true)
  expect(await namesIn(other)).toEqual(everywhere(masked))
  expect(await namesIn(await visit('viewer'))).toEqual(everywhere(masked))
  await owner.console.operator.revealNames.mutate({ reason }, { context: { changesNothing: true } })
  expect(await audited()).toEqual([{ action: 'names.reveal', after: { reason } }])
})

test('an export has the names of a session that revealed them, and the audit log says so', async () => {
  expect(await exportUsers(owner)).toContain(nickname)
  expect(await exportUsers(await visit('owner'))).not.toContain(nickname)
  const entries = await world.query<{ after: { names?: string } }>(
    `SELECT after FROM audit_entries WHERE action = 'export.start' ORDER BY id`,
  )
  expect(entries.map(({ after }) => after.names)).toEqual(['whole', undefined])
})

test('who may read reports sees whose they are as the session sees names', async () => {
  await world.query(
    `INSERT INTO reports (id, user_id, client_report_id, kind, started_at, ended_at, summary, measurements)
     VALUES (gen_random_uuid(), $1, 'names', 'scan', now(), now(), '{}', '[]')`,
    [bought.userId],
  )
  const named = async ({ console }: Visitor) => (await console.report.list.query({})).items[0]?.customer
  expect(await named(owner)).toBe(nickname)
  expect(await named(await visit('owner'))).toBe(masked)
})

test('names are masked again when they are hidden, when the role no longer may, and in the next session', async () => {
  await world.query(`UPDATE operators SET role = 'finance' WHERE email = 'owner@names.test'`)
  expect(await namesIn(owner)).toEqual(everywhere(masked))
  await world.query(`UPDATE operators SET role = 'owner' WHERE email = 'owner@names.test'`)
  expect(await namesIn(owner)).toEqual(everywhere(nickname))
  expect(await namesIn(await visit('owner'))).toEqual(everywhere(masked))
  expect(await owner.console.operator.hideNames.mutate()).toEqual({ namesRevealed: false })
  expect(await namesIn(owner)).toEqual(everywhere(masked))
  await owner.console.operator.hideNames.mutate(undefined, { context: { changesNothing: true } })
  expect((await audited()).map(({ action }) => action)).toEqual(['names.reveal', 'names.hide'])
  const [session] = await world.query<{ reasons: string }>(
    `SELECT count(names_reason)::text AS reasons FROM operator_sessions`,
  )
  expect(session?.reasons).toBe('0')
})

test('names are revealed for a reason, with a fresh second factor, by those alone who may reveal identifiers', async () => {
  for (const role of ['viewer', 'finance'] as const) {
    const { console } = await visit(role)
    expect(await problemOf(console.operator.revealNames.mutate({ reason }))).toBe('forbidden')
  }
  const { console } = await visit('operator')
  expect(await problemOf(console.operator.revealNames.mutate({ reason: 'no' }))).toBe('invalid_request')
  await world.passTime({ minutes: 11 })
  expect(await problemOf(console.operator.revealNames.mutate({ reason }))).toBe('step_up_required')
})
