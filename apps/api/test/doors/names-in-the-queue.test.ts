import { beforeAll, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { type Console, signedInConsole } from '../world/console.ts'
import { itemsOf } from '../world/inbox.ts'
import { userIdOf } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const nickname = '海边的小明'
const masked = '海***'
let owner: Console
let bought: { outTradeNo: string; userId: string }

const visit = async (role: 'owner' | 'viewer', email = `${role}@queue.test`) =>
  (await signedInConsole(world, { email, role })).console

/** One thing of each kind waits about one order of one user. */
beforeAll(async () => {
  owner = await visit('owner')
  const finance = (await signedInConsole(world, { email: 'finance@queue.test', role: 'finance' })).console
  const phone = await world.phone()
  await phone.call('/me', { method: 'PUT', body: { nickname } })
  const outTradeNo = await phone.buysAndPays('yearly')
  bought = { outTradeNo, userId: await userIdOf(world, phone) }
  const { outRefundNo } = await finance.refund.request.mutate({
    outTradeNo,
    amountFen: 20_000,
    keepDays: false,
    reason: 'user_request',
    note: '',
    reservedFen: 0,
  })
  await world.query(
    `INSERT INTO grant_requests (user_id, days, reason, requested_by)
     SELECT $1, 60, 'device was broken', id FROM operators WHERE role = 'finance'`,
    [bought.userId],
  )
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     SELECT 'refund_stop', $1, 'null', '{}', id FROM operators WHERE role = 'finance'`,
    [outRefundNo],
  )
  await parkOrder(world.services.database.pool, {
    outTradeNo,
    reason: 'paid_without_grant',
    trace: { channel: 'job', requestId: null },
  })
  await world.query(
    `INSERT INTO alerts (kind, subject, detail) VALUES
       ('external_refund', $1, '{}'), ('job_dead', 'job', '{}'), ('delivery_unconfirmed', 'x', jsonb_build_object('out_trade_no', $2::text))`,
    [outRefundNo, outTradeNo],
  )
  await world.query(
    `WITH day AS (INSERT INTO reconciliation_days (date, state, matched_at)
       VALUES ('2026-02-03', 'matched', business_now()) RETURNING date)
     INSERT INTO reconciliation_differences (date, kind, subject, out_refund_no, suggested_action)
     SELECT date, 'refund', $1, $1, 'none' FROM day`,
    [outRefundNo],
  )
  const {
    operator: { id },
  } = await owner.operator.context.query()
  await finance.note.write.mutate({
    subject: { kind: 'order', id: outTradeNo },
    text: 'calls on Friday',
    mentions: [id],
  })
})

const expected = (name: string) => ({
  approval: [name, name],
  order: [name],
  alert: [null, name, name],
  difference: [name],
  mention: [name],
})

const customersByKind = async (console: Console) => {
  const items = await itemsOf(console)
  const kinds = ['approval', 'order', 'alert', 'difference', 'mention'] as const
  const named = kinds.map((kind) => [
    kind,
    items
      .filter((item) => item.kind === kind)
      .map(({ customer }) => customer)
      .toSorted(),
  ])
  return Object.fromEntries(named)
}

test('everything in the queue says whom it concerns, masked until the session reveals names', async () => {
  expect(await customersByKind(owner)).toEqual(expected(masked))
  await owner.operator.revealNames.mutate({ reason: 'callers say their names today' })
  expect(await customersByKind(owner)).toEqual(expected(nickname))
  const ids = (await itemsOf(owner)).map(({ topic, userId }) => [topic, userId])
  for (const [topic, userId] of ids)
    expect([topic, userId]).toEqual([topic, topic === 'job_dead' ? null : bought.userId])
})

test('the desks of what waits say it as well: approvals, orders on hold, alerts and differences', async () => {
  const rows = await Promise.all([
    owner.approval.waiting.query(),
    owner.alert.parked.query({}),
    owner.alert.list.query({}),
    owner.reconciliation.differences.query({}),
  ])
  expect(rows.map(({ items }) => items.map(({ customer }) => customer).toSorted())).toEqual([
    [nickname, nickname],
    [nickname],
    [null, nickname, nickname],
    [nickname],
  ])
  expect(new Set(rows.flatMap(({ items }) => items.map(({ userId }) => userId)))).toEqual(
    new Set([bought.userId, null]),
  )
})
