import { formatFen } from '@meridian/contracts'
import { afterEach, expect, test } from 'vitest'
import { keepAlertsSent } from '../../src/alerts/delivery/keep-alerts-sent.ts'
import { tellDigest } from '../../src/dashboard/tell-digest.ts'
import { lastWeekOf, writeDigest } from '../../src/dashboard/weekly-digest.ts'
import { idOf, signedInConsole } from '../world/console.ts'
import { startRobot } from '../world/robots.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const dayMs = 86_400_000
const now = ({ services }: TestWorld) => services.runtime.now()

/** Lets time pass until it is Monday morning in China, one week at least. */
async function passToMonday(world: TestWorld): Promise<void> {
  const inChina = new Date(now(world).getTime() + 8 * 3_600_000)
  const weekday = inChina.getUTCDay()
  const midnight = Date.UTC(inChina.getUTCFullYear(), inChina.getUTCMonth(), inChina.getUTCDate())
  const monday = midnight + (weekday === 1 ? 7 : (8 - weekday) % 7) * dayMs + 9 * 3_600_000
  await world.passTime({ seconds: Math.ceil((monday - inChina.getTime()) / 1000) })
}

const digests = (world: TestWorld) =>
  world.query<{ week: string; figures: object }>(
    'SELECT week::text AS week, figures FROM weekly_digests ORDER BY week',
  )

test('the last whole week begins on the Monday before this one, by the calendar of China', () => {
  expect(lastWeekOf(new Date('2026-11-30T01:00:00Z'))).toEqual({ from: '2026-11-23', to: '2026-11-29' })
  expect(lastWeekOf(new Date('2026-11-29T15:59:00Z'))).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  expect(lastWeekOf(new Date('2026-11-29T16:00:00Z'))).toEqual({ from: '2026-11-23', to: '2026-11-29' })
})

test('a week is told once with the sums of SQL, new and renewed purchases and what waits, however many workers try', async () => {
  const robot = await startRobot('wecom')
  cleanups.push(() => robot[Symbol.asyncDispose]())
  const world = await openTestWorld({
    platform: { refundsSettleAfterMs: null },
    environment: { ALERT_CHANNELS: robot.setting, ALERT_ALLOW_PRIVATE: 'true' },
  })
  cleanups.push(() => world[Symbol.asyncDispose]())
  await passToMonday(world)
  await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  const operatorId = await idOf(world, 'finance@example.com')
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays('monthly')
  await phone.buysAndPays('monthly')
  await refundToItsEnd(world, { outTradeNo, amountFen: 900, operatorId })
  await passToMonday(world)
  const [told] = await world.query<{ gross: number; back: number }>(
    `SELECT (SELECT sum(amount_fen)::int FROM orders WHERE paid_at IS NOT NULL) AS gross,
       (SELECT sum(amount_fen)::int FROM refunds WHERE status = 'succeeded') AS back`,
  )
  const telling = keepAlertsSent(world.services, { everyMs: 50, sourcesEveryMs: 50, sources: [tellDigest] })
  cleanups.push(() => telling.stop())
  await expect.poll(() => world.query('SELECT 1 FROM alert_channels')).toHaveLength(1)
  const { pool } = world.services.database
  const written = await Promise.all([1, 2, 3].map(() => writeDigest(pool, now(world))))
  expect(written.filter(Boolean)).toHaveLength(1)
  await expect.poll(() => robot.taken.filter((text) => text.includes('weekly digest')).length).toBe(1)
  const text = robot.taken.find((one) => one.includes('weekly digest')) ?? ''
  const { gross = 0, back = 0 } = told ?? {}
  expect(text).toContain(`gross: ${formatFen(gross)}`)
  expect(text).toContain(`refunds: ${formatFen(back)}`)
  expect(text).toContain(`net: ${formatFen(gross - back)}`)
  expect(text).toContain('new subscriptions: 1 (0)')
  expect(text).toContain('renewals: 1 (0)')
  expect(await writeDigest(pool, now(world))).toBe(false)
})

test('where the setting is off nothing is written', async () => {
  await using world = await openTestWorld()
  await setSetting(world, 'weekly_digest', false)
  expect(await writeDigest(world.services.database.pool, now(world))).toBe(false)
  expect(await digests(world)).toEqual([])
})
