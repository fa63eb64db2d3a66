import { ConfirmedBy, NotificationOutcome } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Console, hire, problemOf, signInAnew } from '../world/console.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let viewer: Console

const DAY = 86_400_000
const chinaDay = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const inDays = (days: number) => chinaDay(new Date(world.services.runtime.now().getTime() + days * DAY))
const today = () => inDays(0)
const ago = (days: number) => inDays(-days)
/** Just before midnight in China, `days` days ago. */
const lateOn = (days: number) => new Date(`${ago(days)}T23:59:59.500+08:00`)

/** Lets as many days pass, until a minute before midnight in China. */
async function passUntilLateIn(days: number) {
  const late = new Date(`${inDays(days)}T23:59:00+08:00`)
  await world.passTime({
    seconds: Math.ceil((late.getTime() - world.services.runtime.now().getTime()) / 1000),
  })
}

async function paid(plan: string, paidAt: Date): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase, { paidAt })
  return purchase.order.out_trade_no
}

beforeAll(async () => {
  const operatorId = await hire(world, { email: 'viewer@example.com', role: 'viewer' })
  await paid('monthly', world.services.runtime.now())
  await passUntilLateIn(30)
  await refundToItsEnd(world, { outTradeNo: await paid('monthly', lateOn(2)), amountFen: 900, operatorId })
  await world.passTime({ hours: 12, minutes: 1 })
  viewer = (await signInAnew(world, 'viewer@example.com')).console
  await paid('quarterly', new Date(lateOn(3).getTime() + 1000))
  await paid('yearly', new Date(`${today()}T00:00:00+08:00`))
  await paid('monthly', lateOn(9))
  await (await world.phone()).buys()
  await (await world.phone()).buys('yearly')
})

/** The same figure by the plainest statement that could be meant. */
const count = async (sql: string, values: unknown[] = []): Promise<number> => {
  const [row] = await world.query<{ n: string | number | null }>(`SELECT ${sql} AS n`, values)
  return Number(row?.n ?? 0)
}
const paidOn = `(paid_at AT TIME ZONE 'Asia/Shanghai')::date`

describe('revenue', () => {
  test('equals what plain SQL says, day by day in China, in the range and in the one before', async () => {
    const { days, daysBefore, range } = await viewer.dashboard.revenue.query({ from: ago(29), to: today() })
    const seen = [...daysBefore, ...days]
    expect(seen.map(({ day }) => day)).toEqual(Array.from({ length: 60 }, (_, at) => ago(59 - at)))
    expect(daysBefore.reduce((sum, { netFen }) => sum + netFen, 0)).toBe(range.before.netFen)
    for (const { day, grossFen, refundFen, netFen, orders } of seen) {
      const gross = await count(`(SELECT sum(amount_fen) FROM orders WHERE ${paidOn} = $1::date)`, [day])
      const back = await count(
        `(SELECT sum(amount_fen) FROM refunds WHERE status = 'succeeded'
          AND (succeeded_at AT TIME ZONE 'Asia/Shanghai')::date = $1::date)`,
        [day],
      )
      expect({ day, grossFen, refundFen, netFen }).toEqual({
        day,
        grossFen: gross,
        refundFen: back,
        netFen: gross - back,
      })
      expect(orders).toBe(await count(`(SELECT count(*) FROM orders WHERE ${paidOn} = $1::date)`, [day]))
    }
    expect(range.before.netFen).toBeGreaterThan(0)
    expect(days.find(({ day }) => day === ago(3))).toMatchObject({ grossFen: 2900, orders: 1 })
    expect(days.find(({ day }) => day === ago(2))).toMatchObject({ grossFen: 7900 })
    expect(days.find(({ day }) => day === ago(1))).toMatchObject({
      grossFen: 0,
      refundFen: 900,
      netFen: -900,
    })
  })

  test('sets today, a week and a month beside the days before', async () => {
    const revenue = await viewer.dashboard.revenue.query({ from: ago(9), to: ago(9) })
    expect(revenue.today).toMatchObject({ now: { grossFen: 26800 }, before: { grossFen: 0, refundFen: 900 } })
    expect(revenue.week).toMatchObject({
      now: { grossFen: 37600, refundFen: 900, netFen: 36700, orders: 3 },
      before: { grossFen: 2900, orders: 1 },
    })
    expect(revenue.month).toMatchObject({ now: { orders: 4 }, before: { grossFen: 2900, orders: 1 } })
    expect(revenue.range).toMatchObject({ now: { grossFen: 2900 }, before: { grossFen: 0 } })
    expect(revenue.daysBefore).toMatchObject([{ day: ago(10), grossFen: 0 }])
  })
})

test('orders by status and the way to payment equal plain SQL, and their filtered list', async () => {
  const range = { from: ago(31), to: today() }
  const { byStatus, funnel } = await viewer.dashboard.orders.query(range)
  for (const { status, count: shown } of byStatus) {
    expect(shown).toBe(await count('(SELECT count(*) FROM orders WHERE status = $1::order_status)', [status]))
    const from = new Date(`${range.from}T00:00:00+08:00`)
    expect(await viewer.order.totals.query({ status, from })).toMatchObject({ count: shown })
  }
  expect(funnel).toEqual({ created: 7, prepay: 7, paid: 5 })
})

test('subscriptions: active, new, ended and ending equal plain SQL', async () => {
  const figures = await viewer.dashboard.subscriptions.query({ from: ago(31), to: today() })
  expect(figures).toMatchObject({ active: 4, fresh: 5, freshBefore: 0, ended: 1, endingIn7Days: 0 })
  expect(figures.endingIn30Days).toBe(
    await count(
      `(SELECT count(*) FROM subscriptions WHERE expires_at > business_now() AND expires_at <= business_now() + interval '30 days')`,
    ),
  )
  expect((await viewer.subscription.sums.query({ state: 'active' })).count).toBe(figures.active)
})

test('health: notifications, how payments were learned of, and what waits for somebody', async () => {
  await world.query(
    `INSERT INTO alerts (kind, subject) VALUES ('second_transaction', 'a'), ('second_transaction', 'b')`,
  )
  await world.query(
    `INSERT INTO rejection_counts (reason, hour, count) VALUES ('signature', date_trunc('hour', business_now()), 7)`,
  )
  const health = await viewer.dashboard.health.query({ from: ago(50), to: today() })
  expect(health).toMatchObject({
    confirmedBy: [{ channel: 'notification', count: 5 }],
    alerts: [{ kind: 'second_transaction', count: 2 }],
    rejected: 7,
    abnormalRefunds: 0,
    parkedOrders: 0,
  })
  const applied = await count(`(SELECT count(*) FROM notifications WHERE outcome = 'applied')`)
  expect(health.notifications).toContainEqual({ outcome: 'applied', count: applied })
})

test('each figure counts what its filtered list counts', async () => {
  const range = { from: ago(9), to: today() }
  const midnight = (day: string) => new Date(`${day}T00:00:00+08:00`)
  const bounds = { from: midnight(range.from), to: new Date(midnight(range.to).getTime() + DAY) }
  const paidBetween = { paidFrom: bounds.from, paidTo: bounds.to }
  const revenue = await viewer.dashboard.revenue.query(range)
  const figures = [
    { ...bounds, ...revenue.range.now },
    ...revenue.days.slice(-2).map((day) => ({
      ...day,
      from: midnight(day.day),
      to: new Date(midnight(day.day).getTime() + DAY),
    })),
  ]
  for (const { from, to, orders, grossFen, refundFen, virtualFen } of figures) {
    const paid = { paidFrom: from, paidTo: to }
    expect(await viewer.order.totals.query(paid)).toMatchObject({ count: orders, grossFen })
    expect(await viewer.order.totals.query({ ...paid, channel: 'virtual' })).toMatchObject({
      grossFen: virtualFen,
    })
    expect(await viewer.refund.totals.query({ succeededFrom: from, succeededTo: to })).toMatchObject({
      refundedFen: refundFen,
    })
  }
  expect(figures.some(({ refundFen }) => refundFen > 0)).toBe(true)

  const { funnel } = await viewer.dashboard.orders.query(range)
  expect((await viewer.order.totals.query(bounds)).count).toBe(funnel.created)
  for (const reached of ['prepay', 'paid'] as const)
    expect((await viewer.order.totals.query({ ...bounds, reached })).count).toBe(funnel[reached])

  const { fresh } = await viewer.dashboard.subscriptions.query(range)
  const newcomers = { freshFrom: bounds.from, freshTo: bounds.to }
  expect((await viewer.subscription.sums.query(newcomers)).count).toBe(fresh)

  const [parked] = await world.query<{ id: string }>(
    `UPDATE orders SET parked = TRUE, park_reason = 'mismatch' WHERE id IN (SELECT id FROM orders LIMIT 2) RETURNING id`,
  )
  await world.query(`UPDATE orders SET park_reason = 'left_as_is' WHERE id = $1`, [parked?.id])
  const health = await viewer.dashboard.health.query(range)
  expect([health.parkedOrders, (await viewer.alert.countParked.query({})).count]).toEqual([1, 1])
  expect((await viewer.alert.countParked.query({ left: true })).count).toBe(1)
  for (const { kind, count: shown } of health.alerts)
    expect((await viewer.alert.count.query({ kind })).count).toBe(shown)
  for (const { channel, count: shown } of health.confirmedBy) {
    const confirmedBy = ConfirmedBy.parse(channel)
    expect((await viewer.order.totals.query({ ...paidBetween, confirmedBy })).count).toBe(shown)
  }
  for (const { outcome, count: shown } of health.notifications) {
    const filter = { ...bounds, outcome: NotificationOutcome.parse(outcome) }
    expect((await viewer.notification.count.query(filter)).count).toBe(shown)
  }
  const { counts } = await viewer.notification.rejected.query(bounds)
  expect(counts.reduce((sum, { count: refused }) => sum + refused, 0)).toBe(health.rejected)
})

test('refuses a range that is turned round or longer than a quarter, and days that do not exist', async () => {
  const ranges = [
    { from: today(), to: ago(1) },
    { from: ago(92), to: today() },
    { from: '2026-02-30', to: today() },
  ]
  for (const range of ranges)
    expect(await problemOf(viewer.dashboard.revenue.query(range))).toBe('invalid_request')
})

test('what each channel took is a part of the revenue, and what its filtered list adds up to', async () => {
  const range = { from: today(), to: today() }
  const { now: before } = (await viewer.dashboard.revenue.query(range)).range
  expect(before).toMatchObject({ virtualFen: 0, virtualOrders: 0 })
  await plantVirtualPayment(world)
  const revenue = await viewer.dashboard.revenue.query(range)
  expect(revenue.range.now).toEqual({
    ...before,
    grossFen: before.grossFen + 2900,
    netFen: before.netFen + 2900,
    orders: before.orders + 1,
    virtualFen: 2900,
    virtualOrders: 1,
  })
  const { grossFen, orders, virtualFen, virtualOrders } = revenue.month.now
  const paidFrom = new Date(`${ago(29)}T00:00:00+08:00`)
  expect(await viewer.order.totals.query({ paidFrom, channel: 'virtual' })).toMatchObject({
    count: virtualOrders,
    amountFen: virtualFen,
  })
  expect(await viewer.order.totals.query({ paidFrom, channel: 'jsapi' })).toMatchObject({
    count: orders - virtualOrders,
    amountFen: grossFen - virtualFen,
  })
})
