import { column, execute, Prisma, query } from '@meridian/db'
import { beforeAll, expect, test } from 'vitest'
import { addUpOrders } from '../../src/dashboard/add-up-orders.ts'
import { addUpSubscriptions } from '../../src/dashboard/add-up-subscriptions.ts'
import { showHealth } from '../../src/dashboard/show-desk.ts'
import { showOrderFunnel, showRevenue } from '../../src/dashboard/show-sales.ts'
import { showSubscriptionFigures } from '../../src/dashboard/show-subscribers.ts'
import { hire } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd, refundVirtualToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const DAY = 86_400_000
let operatorId: string
beforeAll(async () => {
  operatorId = await hire(world, { email: 'operator@example.com', role: 'operator' })
})

const now = () => world.services.runtime.now()
const chinaDay = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(now().getTime() - days * DAY)
const range = () => ({ from: chinaDay(daysAgo(40)), to: chinaDay(now()) })

/** What the panels say. */
async function panels() {
  const { pool } = world.services.database
  const { days } = await showRevenue(pool, range(), now())
  const { byStatus, funnel } = await showOrderFunnel(pool, range(), now())
  const { confirmedBy, notifications } = await showHealth(pool, range())
  const { active, fresh, ended, endingIn7Days, endingIn30Days } = await showSubscriptionFigures(pool, range())
  return {
    days: days.filter(({ orders, refundFen }) => orders > 0 || refundFen > 0),
    byStatus: byStatus.filter(({ count }) => count > 0),
    funnel,
    confirmedBy,
    notifications,
    subscriptions: { active, fresh, ended, endingIn7Days, endingIn30Days },
  }
}

const dayOf = (instant: string) => `(${instant} AT TIME ZONE 'Asia/Shanghai')::date`
const within = (instant: string) => `${dayOf(instant)} BETWEEN $1::date AND $2::date`

/** The same by the plainest statement that could be meant, over all rows. */
async function counted() {
  const { from, to } = range()
  const ask = <Row extends object>(sql: string) => world.query<Row>(sql, [from, to])
  const [days, byStatus, [funnel], confirmedBy, notifications, [subscriptions]] = await Promise.all([
    ask(`
      SELECT day::text, coalesce(orders, 0) AS orders, coalesce(fen, 0)::float8 AS "grossFen", coalesce(back, 0)::float8 AS "refundFen",
        (coalesce(fen, 0) - coalesce(back, 0))::float8 AS "netFen", coalesce(virtual_fen, 0)::float8 AS "virtualFen",
        coalesce(virtual_orders, 0) AS "virtualOrders"
      FROM (SELECT ${dayOf('paid_at')} AS day, count(*)::int AS orders, sum(amount_fen) AS fen,
        sum(amount_fen) FILTER (WHERE channel = 'virtual') AS virtual_fen, (count(*) FILTER (WHERE channel = 'virtual'))::int AS virtual_orders
        FROM orders WHERE ${within('paid_at')} GROUP BY 1) p
      FULL JOIN (SELECT ${dayOf('succeeded_at')} AS day, sum(amount_fen) AS back FROM refunds WHERE ${within('succeeded_at')} GROUP BY 1) r
        USING (day) ORDER BY day`),
    ask(
      `SELECT status, count(*)::int AS count FROM orders WHERE ${within('created_at')} GROUP BY 1 ORDER BY 1`,
    ),
    ask(`SELECT count(*)::int AS created, count(prepay_expires_at)::int AS prepay, count(paid_at)::int AS paid
      FROM orders WHERE ${within('created_at')}`),
    ask(`SELECT confirmed_by AS channel, count(*)::int AS count FROM orders WHERE ${within('paid_at')} GROUP BY 1
      ORDER BY 2 DESC`),
    ask(
      `SELECT outcome, count(*)::int AS count FROM notifications WHERE ${within('first_at')} GROUP BY 1 ORDER BY 2 DESC`,
    ),
    ask(`SELECT count(*) FILTER (WHERE expires_at > business_now())::int AS active,
        (SELECT count(*)::int FROM grants WHERE seq = 1 AND ${within('effective_at')}) AS fresh,
        count(*) FILTER (WHERE expires_at <= business_now() AND ${within('expires_at')})::int AS ended,
        count(*) FILTER (WHERE expires_at > business_now() AND expires_at <= business_now() + interval '7 days')::int AS "endingIn7Days",
        count(*) FILTER (WHERE expires_at > business_now() AND expires_at <= business_now() + interval '30 days')::int AS "endingIn30Days"
      FROM subscriptions`),
  ])
  return { days, byStatus, funnel, confirmedBy, notifications, subscriptions }
}

const addUp = () => doJob(world, 'add_up', {})

const sums = async () => {
  const { pool } = world.services.database
  const [row] = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT (SELECT coalesce(sum(orders), 0)::int FROM order_day_sums WHERE fact = 'created') AS "ofDays",
        (SELECT coalesce(sum(orders), 0)::int FROM order_block_sums WHERE fact = 'created') AS "ofBlocks",
        (SELECT count(*)::int FROM orders) AS orders`,
      { ofDays: column.integer, ofBlocks: column.integer, orders: column.integer },
    ),
  )
  return row
}

/** Puts the next order so many blocks further on. */
const leaveBlocks = (blocks: number) =>
  world.query(`SELECT setval('orders_id_seq', (SELECT max(id) FROM orders) + $1::int * 1000)`, [blocks])

test('the panels are exact before the job, after it, and with what happened since, whatever day it changes', async () => {
  const same = async () => expect(await panels()).toEqual(await counted())
  const phone = await world.phone()
  const early = await phone.buys()
  await phone.pays(early, { paidAt: daysAgo(0) })
  await same()
  await addUp()
  await same()
  await leaveBlocks(1)
  const other = await world.phone()
  // Nobody tells us: the sweep finds it, a day or two later.
  await other.pays(await other.buys('yearly'), { silent: true })
  await same()
  await addUp()
  await world.passTime({ hours: 60, minutes: 7 })
  await (await world.phone()).buys('quarterly')
  await same()
  const late = await world.phone()
  await late.pays(await late.buys('quarterly'), { paidAt: daysAgo(2) })
  await same()
  await addUp()
  await refundToItsEnd(world, { outTradeNo: early.order.out_trade_no, amountFen: 900, operatorId })
  await same()
  await refundToItsEnd(world, { outTradeNo: early.order.out_trade_no, amountFen: 2000, operatorId })
  await same()
  await addUp()
  await same()
  // One that told nothing until now, in an hour that was counted: its outcome changes, the number of them does not.
  await world.query(
    `UPDATE notifications SET outcome = 'mismatch' WHERE id = (SELECT min(id) FROM notifications)`,
  )
  await same()
  await world.query(`UPDATE notifications SET outcome = 'applied'`)
  await same()
  await world.passTime({ hours: 24 * 31, minutes: 13 })
  await same()
  expect(await sums()).toEqual({ ofDays: 4, ofBlocks: 4, orders: 4 })
})

test('virtual payments and their refunds are added up among the others and apart from them', async () => {
  const same = async () => expect(await panels()).toEqual(await counted())
  await leaveBlocks(1)
  // Planted days have no subscription, which the plain statement counts.
  const whole = await plantVirtualPayment(world, { paidAt: daysAgo(3), ungranted: true })
  const part = await plantVirtualPayment(world, { paidAt: daysAgo(1), ungranted: true })
  const phone = await world.phone()
  await phone.pays(await phone.buys('quarterly'), { paidAt: daysAgo(0) })
  await same()
  await addUp()
  await same()
  await refundVirtualToItsEnd(world, { outTradeNo: whole.attemptNo, amountFen: 2900, operatorId })
  await refundVirtualToItsEnd(world, { outTradeNo: part.attemptNo, amountFen: 900, operatorId })
  await same()
  await addUp()
  await same()
  const { days, range: sums } = await showRevenue(world.services.database.pool, range(), now())
  expect(sums.now).toMatchObject({ virtualOrders: 2, virtualFen: 5800 })
  expect(days.find(({ day }) => day === chinaDay(now()))).toMatchObject({ refundFen: 3800 })
})

test('a long past is added up in steps, and two runs at once count nothing twice', async () => {
  await leaveBlocks(250)
  const phone = await world.phone()
  await phone.pays(await phone.buys())
  await Promise.all([addUp(), addUp()])
  await addUp()
  const { ofDays, ofBlocks, orders } = (await sums()) ?? {}
  expect([ofDays, ofBlocks]).toEqual([orders, orders])
  expect(await panels()).toEqual(await counted())
})

test('what was begun before the job looked and commits after it is not missed', async () => {
  const { pool } = world.services.database
  const unpaid = await (await world.phone()).buys('yearly')
  await addUp()
  const marks = () => world.query(`SELECT line_id FROM watermarks WHERE name = 'order_sums'`)
  const before = await marks()
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `WITH closed AS (UPDATE orders SET status = 'closed', closed_at = business_now(), close_reason = 'expired'
         WHERE out_trade_no = $1 RETURNING id)
       INSERT INTO order_events (order_id, kind, from_status, to_status, channel) SELECT id, 'close', 'prepay', 'closed', 'job' FROM closed`,
      [unpaid.order.out_trade_no],
    )
    const phone = await world.phone()
    await phone.pays(await phone.buys())
    const added = Promise.all([addUpOrders(pool), addUpSubscriptions(pool)])
    expect(await panels()).toEqual(await counted())
    expect(await marks()).toEqual(before)
    await client.query('COMMIT')
    await added
  } finally {
    client.release()
  }
  expect(await marks()).not.toEqual(before)
  expect(await panels()).toEqual(await counted())
})
