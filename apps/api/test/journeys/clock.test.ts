import { setTimeout as delay } from 'node:timers/promises'
import { openPool } from '@meridian/db'
import { moveClock } from '@meridian/db/clock'
import { asProgram } from '@meridian/db/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ConfigError } from '../../src/config.ts'
import { transactionTime } from '../../src/platform/time/business-time.ts'
import { checkClock } from '../../src/startup/start-checks.ts'
import { startApi } from '../world/api-process.ts'
import { problemOf, signedInConsole } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { call } from '../world/phone.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

/** A month bought and paid. */
async function subscriber() {
  const phone = await world.phone()
  return { phone, outTradeNo: await phone.buysAndPays() }
}

/** A world of its own: what it does to time is its own affair. */
async function ownWorld(): Promise<TestWorld> {
  const own = await openTestWorld()
  onTestFinished(() => own[Symbol.asyncDispose]())
  return own
}

describe('time that passes', () => {
  test('uses days up, ends the subscription, and a purchase after the lapse begins anew', async () => {
    const { phone } = await subscriber()
    expect((await phone.subscription()).remaining_days).toBe(30)
    await world.passTime({ days: 28 })
    expect(await phone.subscription()).toMatchObject({ is_active: true, remaining_days: 2 })
    await world.passTime({ days: 12 })
    expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0 })
    await phone.pays(await phone.buys())
    expect(await phone.subscription()).toMatchObject({ is_active: true, remaining_days: 30 })
  })

  test('ends an access token, and with it what it opened', async () => {
    const phone = await world.phone()
    const { access_token } = phone.tokens
    const asked = () => call(`${phone.api}/subscription`, { token: access_token })
    await world.passTime({ hours: 1, minutes: 59 })
    expect((await asked()).status).toBe(200)
    await world.passTime({ minutes: 1 })
    expect(await asked()).toMatchObject({ status: 401, body: { code: 'token_expired' } })
  })

  test('ends a session of the console after two idle hours', async () => {
    const { console } = await signedInConsole(world, { email: 'idle@example.com' })
    await world.passTime({ hours: 1, minutes: 59 })
    await console.operator.context.query()
    await world.passTime({ hours: 2, seconds: 1 })
    expect(await problemOf(console.operator.context.query())).toBe('unauthenticated')
  })

  test('is one time, whoever is asked: the program, its transactions and the platform', async () => {
    await world.passTime({ days: 400 })
    const { prisma } = world.services.database
    const told = [
      world.services.runtime.now(),
      await transactionTime(prisma),
      ...(await world.query<{ now: Date }>('SELECT business_now() AS now')).map(({ now }) => now),
    ]
    for (const instant of told)
      expect(Math.abs(instant.getTime() - world.services.runtime.now().getTime())).toBeLessThan(5_000)
    const { outTradeNo } = await subscriber()
    const paidAt = world.platform.orders.get(outTradeNo)?.payments[0]?.paidAt ?? new Date(0)
    expect(Math.abs(paidAt.getTime() - world.services.runtime.now().getTime())).toBeLessThan(30_000)
  })

  test('makes waiting jobs due, and what the schedule would have started', async () => {
    const own = await ownWorld()
    const phone = await own.phone()
    const { order } = await phone.buys()
    await doDueJobs(own)
    expect((await phone.order(order.out_trade_no)).status).toBe('prepay')
    await own.passTime({ hours: 2, minutes: 1 })
    await doDueJobs(own)
    expect((await phone.order(order.out_trade_no)).status).toBe('closed')
    const schedule = [
      { cron: '30 2 * * *', job: 'reconcile_day' },
      { cron: '5 1 1 1 *', job: 'forget_old' },
    ]
    await moveClock(own.behindGate, { byMs: 86_400_000, schedule })
    const due = await own.query(
      `SELECT task_identifier AS job FROM graphile_worker.jobs WHERE run_at <= now() AND task_identifier IN ('reconcile_day', 'forget_old')`,
    )
    const newYear = new Date(own.services.runtime.now()).getUTCMonth() === 0
    expect(due).toEqual(newYear ? due : [{ job: 'reconcile_day' }])
  })

  test('never runs back, and stands still in no step', async () => {
    for (const byMs of [0, -1, 0.5, Number.NaN])
      await expect(moveClock(world.behindGate, { byMs })).rejects.toThrow(RangeError)
  })
})

describe('the clock', () => {
  test('cannot be moved by the programs themselves', async () => {
    const pool = openPool(asProgram(world.behindGate), { maxConnections: 1 })
    onTestFinished(() => pool.end())
    await expect(
      pool.query(
        `CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now() + interval ''1 day'''`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('that was moved keeps a server of the official platform from starting, and says so', async () => {
    const own = await ownWorld()
    const official = { ...own.services, config: { ...own.config, platform: 'official' as const } }
    await checkClock(official, () => undefined)
    await own.passTime({ days: 29 })
    await expect(checkClock(official, () => undefined)).rejects.toThrow(ConfigError)
    await expect(checkClock(official, () => undefined)).rejects.toThrow(
      'the clock of this database is moved by 696.0 hours (business_now): it is a sandbox’s',
    )
  })

  test('is followed by every program of a sandbox', async () => {
    const own = await ownWorld()
    const api = await startApi({ platform: own.platform, databaseUrl: own.behindGate })
    onTestFinished(() => api.stop())
    const Ready = z.object({ now: z.coerce.date() })
    const now = async () => Ready.parse((await call(`${api.url}/readyz`)).body).now
    const before = await now()
    await own.passTime({ days: 10 })
    await expect
      .poll(async () => (await now()).getTime() - before.getTime())
      .toBeGreaterThanOrEqual(10 * 86_400_000)
  })
})

test('requests signed before a move are good for a moment, deliveries wait until it is over', async () => {
  const own = await ownWorld()
  const phone = await own.phone()
  const purchase = await phone.buys()
  let moved = false
  const moving = own.platform.moveClock(86_400_000, async () => {
    await delay(50)
    await moveClock(own.behindGate, { byMs: 86_400_000 })
    await own.services.clock.read()
    moved = true
  })
  const asked = own.services.payments?.queryOrder(purchase.order.out_trade_no)
  const delivered = phone.pays(purchase).then((deliveries) => [deliveries.map(({ status }) => status), moved])
  expect(await asked).toMatchObject({ state: 'paid' })
  expect(await delivered).toEqual([[204], true])
  await moving
  expect(await phone.subscription()).toMatchObject({ is_active: true, remaining_days: 30 })
})
