import { type DashboardRange, daysOfPreset, type UserFunnel } from '@meridian/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { todayInChina } from '../../src/dashboard/days.ts'
import { keepUserFunnels } from '../../src/dashboard/keep-user-funnels.ts'
import { showUserFunnel } from '../../src/dashboard/show-user-funnel.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const viewer = useConsole(world, 'viewer')

const HOUR = 3_600_000
const range = { from: '2026-03-04', to: '2026-03-06' }
const before = { from: '2026-03-01', to: '2026-03-03' }
const midnight = (day: string) => Date.parse(`${day}T00:00:00+08:00`)
const opening = midnight(before.from)

type Order = { madeAt: number; paidAt: number | null }
type Life = { scans: number[]; treatments: number[]; orders: Order[]; hasDays: boolean }

/** Instants from a day before both ranges to a day after them: few, so that midnights and ties are met. */
const instant = fc.integer({ min: -4, max: 28 }).map((sixHours) => opening + sixHours * 6 * HOUR)
const order = fc.record({
  madeAt: instant,
  wait: fc.option(fc.constantFrom(0, 1, 6 * HOUR, 30 * HOUR), { nil: null }),
})
const life: fc.Arbitrary<Life> = fc.record({
  scans: fc.array(instant, { maxLength: 3 }),
  treatments: fc.array(instant, { maxLength: 2 }),
  orders: fc.array(
    order.map(({ madeAt, wait }) => ({ madeAt, paidAt: wait === null ? null : madeAt + wait })),
    { maxLength: 3 },
  ),
  hasDays: fc.boolean(),
})

const isWithin = (at: number, { from, to }: DashboardRange) =>
  at >= midnight(from) && at < midnight(to) + 24 * HOUR

/** What the figures mean, deed by deed and without SQL. */
function countByHand(lives: readonly Life[], days: DashboardRange): UserFunnel {
  const total = { scanned: 0, treated: 0, ordered: 0, paid: 0, active: 0 }
  for (const { scans, treatments, orders, hasDays } of lives) {
    const first = scans.toSorted((one, other) => one - other).find((at) => isWithin(at, days))
    if (first === undefined) continue
    const then = (at: number) => at > first && isWithin(at, days)
    const theirs = orders.filter(({ madeAt }) => then(madeAt))
    const paid = theirs.some(({ paidAt }) => paidAt !== null && isWithin(paidAt, days))
    total.scanned += 1
    total.treated += Number(treatments.some(then))
    total.ordered += Number(theirs.length > 0)
    total.paid += Number(paid)
    total.active += Number(paid && hasDays)
  }
  return total
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

async function live(lives: readonly Life[]): Promise<void> {
  for (const table of ['reports', 'orders', 'subscriptions', 'users'])
    await world.query(`DELETE FROM ${table}`)
  const people = lives.map(({ scans, treatments, orders, hasDays }) => ({
    hasDays,
    reports: [
      ...scans.map((at) => ({ kind: 'scan', at: iso(at) })),
      ...treatments.map((at) => ({ kind: 'treatment', at: iso(at) })),
    ],
    orders: orders.map(({ madeAt, paidAt }) => ({ madeAt: iso(madeAt), paidAt: iso(paidAt) })),
  }))
  await world.query(
    `WITH people AS (
       SELECT gen_random_uuid() AS id, life FROM jsonb_array_elements($1::jsonb) life),
     known AS (INSERT INTO users (id, openid) SELECT id, id::text FROM people),
     subscribed AS (
       INSERT INTO subscriptions (user_id, seq, expires_at)
       SELECT id, 1, now() + CASE WHEN (life->>'hasDays')::boolean THEN 1 ELSE -1 END * interval '1 hour' FROM people),
     reported AS (
       INSERT INTO reports (id, user_id, client_report_id, kind, started_at, ended_at, summary, measurements)
       SELECT gen_random_uuid(), p.id, gen_random_uuid()::text, r.kind, r.at, r.at, '{}', '[]'
       FROM people p, jsonb_to_recordset(life->'reports') r(kind report_kind, at timestamptz))
     INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
       payer_openid, app_id, mch_id, platform_host, created_at, expires_at, transaction_id, paid_at, confirmed_by,
       confirmed_at)
     SELECT 'M' || upper(left(md5(gen_random_uuid()::text), 26)), p.id,
       CASE WHEN o."paidAt" IS NULL THEN 'created' ELSE 'paid' END::order_status, 'monthly', 'monthly', 30, '{}', 2900,
       p.id::text, 'wx0', '19', 'localhost', o."madeAt", o."madeAt" + interval '30 minutes',
       CASE WHEN o."paidAt" IS NOT NULL THEN gen_random_uuid()::text END, o."paidAt",
       CASE WHEN o."paidAt" IS NOT NULL THEN 'notification'::confirmed_by END, o."paidAt"
     FROM people p, jsonb_to_recordset(life->'orders') o("madeAt" timestamptz, "paidAt" timestamptz)`,
    [JSON.stringify(people)],
  )
}

const read = () => viewer.dashboard.userFunnel.query(range)

test('whatever users do, the way from scan to subscription is what counting their lives by hand gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 40 }), async (lives) => {
      await live(lives)
      const { funnel, funnelBefore } = await read()
      expect(funnel).toEqual(countByHand(lives, range))
      expect(funnelBefore).toEqual(countByHand(lives, before))
    }),
    { numRuns: 60 },
  )
})

test('the way narrows from one step to the next, and who buys without treating is not lost from it', async () => {
  const at = (hours: number) => midnight(range.from) + hours * HOUR
  const buyer = { scans: [at(1)], orders: [{ madeAt: at(3), paidAt: at(4) }], hasDays: true }
  await live([
    { ...buyer, treatments: [] },
    { ...buyer, treatments: [at(2)] },
    { ...buyer, treatments: [at(5)], hasDays: false },
    { ...buyer, treatments: [], orders: [{ madeAt: at(3), paidAt: null }] },
    { ...buyer, treatments: [at(0)], orders: [{ madeAt: at(0), paidAt: at(2) }] },
    { ...buyer, treatments: [at(2)], scans: [] },
  ])
  expect(await read()).toMatchObject({
    funnel: { scanned: 5, treated: 2, ordered: 4, paid: 3, active: 2 },
    funnelBefore: { scanned: 0, treated: 0, ordered: 0, paid: 0, active: 0 },
  })
})

test('what takes long to count is kept for an hour and told as of then; what does not is counted for whoever asks', async () => {
  const { pool } = world.services.database
  const now = () => world.services.runtime.now()
  const month = daysOfPreset('lastMonth', todayInChina(now()))
  const scan = () => ({ scans: [now().getTime() - HOUR], treatments: [], orders: [], hasDays: false })
  const scanned = async () => (await viewer.dashboard.userFunnel.query(month)).funnel.scanned

  await live([scan()])
  await keepUserFunnels(pool, now())
  await live([scan(), scan()])
  expect(await scanned()).toBe(2)

  await keepUserFunnels(pool, now(), 0)
  const keptAt = now()
  await live([scan(), scan(), scan()])
  const kept = await viewer.dashboard.userFunnel.query(month)
  expect(kept.funnel.scanned).toBe(2)
  expect(Math.abs(kept.readAt.getTime() - keptAt.getTime())).toBeLessThan(60_000)
  await world.passTime({ hours: 1, minutes: 1 })
  expect((await showUserFunnel(pool, month)).funnel.scanned).toBe(3)
  await keepUserFunnels(pool, now())
  expect(await world.query('SELECT FROM kept_funnels')).toEqual([])
})
