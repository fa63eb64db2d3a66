import { createPayments, systemRuntime } from '@meridian/payments'
import { beforeAll, expect, test } from 'vitest'
import { dryRunReplay } from '../../src/payments/replay-notification.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { problemOf, signedInConsole } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { queuedJobs } from '../world/queued-jobs.ts'
import { tamper } from '../world/tamper.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({
  platform: { keyMode: 'certificate' },
  merchant: { downloadKeys: true, platformKeys: [] },
})
const operator = useConsole(world, 'operator')

beforeAll(async () => {
  await world.services.payments?.refreshKeys()
})

const unreachable = 'M00000000000000000000000000'
const unreachableRefund = 'R99999999999999999999999999'

/** A payment whose verified notification could not be applied: kept, and to be tried again. */
async function keptUnapplied(id: string): Promise<{ phone: Phone; outTradeNo: string }> {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  // The order is missing for a moment, as after a restore of the database.
  await renumber(outTradeNo, unreachable)
  const { status } = await world.platform.deliver(world.platform.notification(outTradeNo, { id }))
  expect(status).toBe(404)
  await renumber(unreachable, outTradeNo)
  return { phone, outTradeNo }
}

const renumber = (from: string, to: string) =>
  tamper(world, `UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}'`)
const renumberRefund = (from: string, to: string) =>
  tamper(world, `UPDATE refunds SET out_refund_no = '${to}' WHERE out_refund_no = '${from}'`)

const inboxOf = async (id: string) =>
  (await world.query('SELECT outcome::text, deliveries FROM notifications WHERE id = $1', [id]))[0]

/** Everything that a payment may write. */
const traces = async () =>
  (
    await world.query(
      `SELECT (SELECT count(*)::int FROM grants) AS grants, (SELECT count(*)::int FROM order_events) AS events,
         (SELECT count(*)::int FROM alerts) AS alerts, (SELECT count(*)::int FROM audit_entries) AS acts,
         (SELECT count(*)::int FROM ${queuedJobs}) AS jobs,
         (SELECT md5(string_agg(n::text, '' ORDER BY id)) FROM notifications n) AS inbox,
         (SELECT md5(string_agg(o::text, '' ORDER BY id)) FROM orders o) AS orders`,
    )
  )[0]

test('a dry run says what would change and changes nothing', async () => {
  const { outTradeNo } = await keptUnapplied('EV-dry')
  const before = await traces()
  expect(await operator.notification.dryRun.query({ id: 'EV-dry' })).toMatchObject({
    refusal: null,
    outcome: 'applied',
    before: { outTradeNo, status: 'prepay', remainingDays: 0 },
    after: { outTradeNo, status: 'paid', remainingDays: 30 },
  })
  expect(await traces()).toEqual(before)
})

test('a replay pays the order by the road of every payment, is audited, and counts as no delivery', async () => {
  const { phone, outTradeNo } = await keptUnapplied('EV-real')
  const effect = await operator.notification.replay.mutate({ id: 'EV-real' })
  expect(effect).toMatchObject({ outcome: 'applied', after: { status: 'paid', remainingDays: 30 } })
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect(await inboxOf('EV-real')).toEqual({ outcome: 'applied', deliveries: 1 })
  const [order] = await world.query('SELECT confirmed_by::text FROM orders WHERE out_trade_no = $1', [
    outTradeNo,
  ])
  expect(order).toEqual({ confirmed_by: 'replay' })
  const [event] = await world.query(
    `SELECT e.channel, e.operator_id IS NOT NULL AS named FROM order_events e JOIN orders o ON o.id = e.order_id
     WHERE o.out_trade_no = $1 AND e.kind = 'pay'`,
    [outTradeNo],
  )
  expect(event).toEqual({ channel: 'replay', named: true })
  const [act] = await world.query(
    `SELECT action, before -> 'order' ->> 'status' AS before, after ->> 'outcome' AS outcome
     FROM audit_entries WHERE subject_id = 'EV-real'`,
  )
  expect(act).toEqual({ action: 'notification.replay', before: 'prepay', outcome: 'applied' })
})

test('replays at once and again grant once', async () => {
  const { phone } = await keptUnapplied('EV-twice')
  const replay = () => operator.notification.replay.mutate({ id: 'EV-twice' })
  const effects = await Promise.all([replay(), replay(), replay()])
  expect(effects.map(({ outcome }) => outcome).sort()).toEqual(['already_paid', 'already_paid', 'applied'])
  expect(await replay()).toMatchObject({ outcome: 'already_paid' })
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})

test('a mismatch stays one, in the dry run and for real', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  await world.platform.deliver(world.platform.notification(outTradeNo, { id: 'EV-wrong', amountFen: 1 }))
  for (const effect of [
    await operator.notification.dryRun.query({ id: 'EV-wrong' }),
    await operator.notification.replay.mutate({ id: 'EV-wrong' }),
  ])
    expect(effect).toMatchObject({ outcome: 'mismatch', after: { status: 'prepay' } })
  expect((await phone.subscription()).is_active).toBe(false)
})

test('the notification of a refund replays as a refund, and its order is known in the inbox', async () => {
  const phone = await world.phone()
  const purchase = await phone.buys()
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase)
  const [operatorRow] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  const outRefundNo = 'R00000000000000000000000001'
  await world.query(
    `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, requested_by, status, decided_at)
     SELECT $1, id, 2900, 'other', $2::uuid, 'approved', now() FROM orders WHERE out_trade_no = $3`,
    [outRefundNo, operatorRow?.id, outTradeNo],
  )
  await world.services.payments?.requestRefund({ outRefundNo, outTradeNo, amountFen: 2900, totalFen: 2900 })
  // It arrives while the refund is not known here, and is kept as somebody else's.
  await renumberRefund(outRefundNo, unreachableRefund)
  const [delivery] = await world.platform.settleRefund(outRefundNo)
  expect(delivery?.status).toBe(204)
  const id = delivery?.notificationId ?? ''
  await renumberRefund(unreachableRefund, outRefundNo)
  const dry = await operator.notification.dryRun.query({ id })
  expect(dry).toMatchObject({
    outcome: 'applied',
    before: { status: 'paid', refundedFen: 0, remainingDays: 30 },
    after: { status: 'refunded', refundedFen: 2900, remainingDays: 0 },
  })
  expect((await phone.subscription()).remaining_days).toBe(30)
  await operator.notification.replay.mutate({ id })
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'refunded' })
  expect((await phone.subscription()).remaining_days).toBe(0)
  const [row] = await world.query('SELECT out_trade_no FROM notifications WHERE id = $1', [id])
  expect(row).toEqual({ out_trade_no: outTradeNo })
})

test('bytes that were changed in the database verify no longer, and nothing happens', async () => {
  const { phone } = await keptUnapplied('EV-forged')
  await world.query(`UPDATE notifications SET body = body || ' '::bytea WHERE id = 'EV-forged'`)
  expect(await operator.notification.dryRun.query({ id: 'EV-forged' })).toEqual({
    refusal: 'bad_signature',
    outcome: null,
    before: null,
    after: null,
  })
  expect(await problemOf(operator.notification.replay.mutate({ id: 'EV-forged' }))).toBe(
    'notification_unreadable',
  )
  expect((await phone.subscription()).is_active).toBe(false)
})

test('a moment of receipt that was changed makes the timestamp stale', async () => {
  await keptUnapplied('EV-stale')
  await world.query(`UPDATE notifications SET first_at = first_at + interval '1 hour' WHERE id = 'EV-stale'`)
  expect((await operator.notification.dryRun.query({ id: 'EV-stale' })).refusal).toBe('stale')
})

test('the key of the day serves, also when this process has never held it', async () => {
  const { phone } = await keptUnapplied('EV-old-key')
  const { keys } = world.services.payments?.keyReport() ?? { keys: [] }
  for (const { id, pem } of keys)
    await world.query(
      `INSERT INTO platform_certificates (id, pem, expires_at) VALUES ($1, $2, now() - interval '1 day') ON CONFLICT DO NOTHING`,
      [id, pem],
    )
  const settings = world.config.payments
  const payments = settings && createPayments(settings, systemRuntime)
  expect(payments?.keyReport().keys).toEqual([])
  const services = { ...world.services, payments }
  const from = { address: '203.0.113.7', userAgent: 'test', requestId: 'test' }
  const act = {
    notificationId: 'EV-old-key',
    operatorId: '00000000-0000-7000-8000-000000000000',
    from,
  }
  expect(await dryRunReplay(services, act)).toMatchObject({ refusal: null, outcome: 'applied' })
  await world.query('DELETE FROM platform_certificates')
  expect((await dryRunReplay(services, act)).refusal).toBe('unknown_serial')
  expect((await phone.subscription()).is_active).toBe(false)
})

test.each(['viewer', 'finance'] as const)('a %s neither tries nor replays', async (role) => {
  const { console } = await signedInConsole(world, { email: `${role}@example.com`, role })
  expect(await problemOf(console.notification.dryRun.query({ id: 'EV-dry' }))).toBe('forbidden')
  expect(await problemOf(console.notification.replay.mutate({ id: 'EV-dry' }))).toBe('forbidden')
})

test('what is not in the inbox is not found', async () => {
  expect(await problemOf(operator.notification.replay.mutate({ id: 'EV-nowhere' }))).toBe('not_found')
})
