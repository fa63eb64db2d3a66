import { expect, test } from 'vitest'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')

const historyOf = async (id: string) =>
  (await operator.notification.detail.query({ id })).outcomes.map(({ outcome, replayed, detail }) => ({
    outcome,
    replayed,
    detail,
  }))

test('each delivery and each replay of a notification keeps its outcome and what differed', async () => {
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { id: 'EV-history', amountFen: 1 })
  await operator.notification.replay.mutate({ id: 'EV-history' })
  await operator.notification.dryRun.query({ id: 'EV-history' })
  await phone.syncs(outTradeNo)
  const detail = { fields: ['amountFen'], differs: { amountFen: { ours: 2900, theirs: 1 } } }
  expect(await historyOf('EV-history')).toEqual([
    { outcome: 'mismatch', replayed: true, detail },
    { outcome: 'mismatch', replayed: false, detail },
  ])
})

test('the outcome that was overwritten stays in the history', async () => {
  const { outTradeNo } = await payInSilence(world)
  await world.query('UPDATE alerts SET resolved_at = business_now()')
  await deliver(world, outTradeNo, { id: 'EV-healed', amountFen: 1 })
  await deliver(world, outTradeNo, { id: 'EV-healed' })
  await deliver(world, outTradeNo, { id: 'EV-healed' })
  const { outcome, detail } = await operator.notification.detail.query({ id: 'EV-healed' })
  expect({ outcome, detail }).toEqual({ outcome: 'applied', detail: {} })
  expect((await historyOf('EV-healed')).map((entry) => entry.outcome)).toEqual([
    'already_paid',
    'applied',
    'mismatch',
  ])
})

test('a delivery that cannot be read keeps why', async () => {
  const { outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { id: 'EV\0-unread' })
  const [row] = await world.query<{ id: string }>(`SELECT id FROM notifications WHERE outcome = 'unreadable'`)
  expect(await historyOf(row?.id ?? '')).toEqual([
    { outcome: 'unreadable', replayed: false, detail: { reason: 'malformed_envelope' } },
  ])
})

test('two hundred outcomes of one notification are kept, fifty are shown, and a replay is always kept', async () => {
  const { outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { id: 'EV-often' })
  await world.query(
    `INSERT INTO notification_outcomes (notification_id, outcome) SELECT 'EV-often', 'already_paid' FROM generate_series(1, 199)`,
  )
  await deliver(world, outTradeNo, { id: 'EV-often' })
  const kept = async () =>
    (
      await world.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM notification_outcomes WHERE notification_id = 'EV-often'`,
      )
    )[0]?.count
  expect(await kept()).toBe(200)
  await operator.notification.replay.mutate({ id: 'EV-often' })
  expect(await kept()).toBe(201)
  expect(await historyOf('EV-often')).toHaveLength(50)
})

test('the history goes with its notification and is otherwise never rewritten', async () => {
  const { outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { id: 'EV-old' })
  const { pool } = world.services.database
  await expect(pool.query('DELETE FROM notification_outcomes')).rejects.toMatchObject({ code: '42501' })
  await expect(world.query('UPDATE notification_outcomes SET id = id')).rejects.toMatchObject({
    code: '23514',
  })
  await pool.query(`DELETE FROM notifications WHERE id = 'EV-old'`)
  expect(await world.query(`SELECT 1 FROM notification_outcomes WHERE notification_id = 'EV-old'`)).toEqual(
    [],
  )
})
