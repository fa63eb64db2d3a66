import type { AlertKind } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import { afterEach, describe, expect, test } from 'vitest'
import { keepAlertsSent } from '../../src/alerts/delivery/keep-alerts-sent.ts'
import { endAlertSql, raiseAlertSql } from '../../src/alerts/write-alert.ts'
import { startApi } from '../world/api-process.ts'
import { type Mood, type Robot, type RobotKind, startRobot } from '../world/robots.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function robot(kind: RobotKind): Promise<Robot> {
  const started = await startRobot(kind)
  cleanups.push(() => started[Symbol.asyncDispose]())
  return started
}

const settingsOf = (robots: readonly Robot[]) => ({
  ALERT_CHANNELS: robots.map(({ setting }) => setting).join(','),
  ALERT_ALLOW_PRIVATE: 'true',
})

const quick = { everyMs: 50, pauseSeconds: 0.05 }

/** A world whose process tells alerts to these robots, looking often. */
async function worldWith(robots: readonly Robot[], more: Record<string, string> = {}): Promise<TestWorld> {
  const world = await openTestWorld({ environment: { ...settingsOf(robots), ...more } })
  const telling = keepAlertsSent(world.services, quick)
  cleanups.push(() => world[Symbol.asyncDispose]())
  cleanups.push(() => telling.stop())
  return world
}

const raise = (world: TestWorld, kind: AlertKind, subject: string) =>
  execute(world.services.database.pool, query(null, raiseAlertSql(kind, subject, { note: 'of our own' })))
const end = (world: TestWorld, kind: AlertKind, subject: string) =>
  execute(world.services.database.pool, query(null, endAlertSql(kind, subject, 'condition_over')))
const deliveries = (world: TestWorld) =>
  world.query<{ told: boolean; over: boolean; attempts: number; last_error: string | null }>(
    'SELECT told_at IS NOT NULL AS told, over_told_at IS NOT NULL AS over, attempts, last_error FROM alert_deliveries',
  )

const everyKind: RobotKind[] = ['wecom', 'dingtalk', 'feishu', 'webhook']

describe('every kind of channel', () => {
  test('is told once that an alert is open and once that it is over, signed as it wants', async () => {
    const channels = await Promise.all(everyKind.map(robot))
    const world = await worldWith(channels)
    const told = (turn: number) =>
      expect
        .poll(() => channels.map(({ kind, taken }) => `${kind} ${taken.length}`))
        .toEqual(everyKind.map((kind) => `${kind} ${turn}`))
    await raise(world, 'refund_stuck', 'R00000000000000000000000002')
    await raise(world, 'refund_stuck', 'R00000000000000000000000002')
    await told(1)
    await raise(world, 'payment_mismatch', 'M00000000000000000000000009')
    await told(2)
    await end(world, 'refund_stuck', 'R00000000000000000000000002')
    await told(3)
    await raise(world, 'refund_stuck', 'R00000000000000000000000002')
    await told(4)
    for (const { taken, asked } of channels) {
      const [opened = '', another, over] = taken
      expect(opened).toMatch(/refund_stuck/)
      expect(opened).toMatch(/warning/)
      expect(opened).toContain('R000••••0002')
      expect(opened).not.toContain('R00000000000000000000000002')
      expect(opened).not.toContain('of our own')
      expect(opened).toContain('http://127.0.0.1:3000/alerts?view=alerts')
      expect(another).toMatch(/critical/)
      expect(over).toMatch(/over.*refund_stuck|refund_stuck.*over/s)
      expect(asked()).toBe(4)
    }
  })

  test('a webhook gets JSON in which the id is the number of the alert', async () => {
    const channel = await robot('webhook')
    const world = await worldWith([channel])
    await raise(world, 'clock_skewed', 'api.mch.weixin.qq.com')
    await expect.poll(() => channel.taken).toHaveLength(1)
    const [alert] = await world.query<{ id: string }>('SELECT id::text FROM alerts')
    expect(JSON.parse(channel.taken[0] ?? '')).toMatchObject({
      source: 'meridian',
      id: alert?.id,
      kind: 'clock_skewed',
      severity: 'critical',
      state: 'open',
      subject: 'api.mch.weixin.qq.com',
      times: 1,
      over_at: null,
    })
  })

  test('an alert that was over before anybody could be told is still told, as over', async () => {
    const channel = await robot('wecom')
    channel.feel('fails')
    const world = await worldWith([channel])
    await raise(world, 'prepay_failing', 'prepay')
    await expect.poll(channel.asked).toBeGreaterThan(0)
    await end(world, 'prepay_failing', 'prepay')
    channel.feel('well')
    await expect.poll(() => channel.taken).toHaveLength(1)
    expect(channel.taken[0]).toMatch(/over.*prepay_failing/)
  })
})

describe('a channel is believed only when it says that it took the message', () => {
  const moods: Mood[] = ['refuses in its body', 'fails', 'redirects', 'babbles']
  test.each(moods)('one that %s is asked again, and told once it is well', async (mood) => {
    // Whatever a webhook answers with 200 is its own business.
    const kinds = everyKind.filter((kind) => !(kind === 'webhook' && mood === 'babbles'))
    const channels = await Promise.all(kinds.map(robot))
    for (const channel of channels) channel.feel(mood)
    const world = await worldWith(channels)
    await raise(world, 'refund_stuck', 'R00000000000000000000000003')
    const few = () => Math.min(...channels.map(({ asked }) => asked()))
    await expect.poll(few).toBeGreaterThan(2)
    const failed = await deliveries(world)
    expect(failed).toHaveLength(kinds.length)
    for (const { told, attempts, last_error } of failed) {
      expect(told).toBe(false)
      expect(attempts).toBeGreaterThan(1)
      expect(last_error).toMatch(/^answered/)
      for (const secret of channels.flatMap(({ secrets }) => secrets))
        expect(last_error).not.toContain(secret)
    }
    expect(channels.flatMap(({ taken }) => taken)).toEqual([])
    for (const channel of channels) channel.feel('well')
    for (const { taken } of channels) await expect.poll(() => taken).toHaveLength(1)
    await expect
      .poll(() => deliveries(world))
      .toMatchObject(kinds.map(() => ({ told: true, last_error: null })))
  })

  test('one that hangs is given up after seconds, and holds up no other', async () => {
    const [hanging, other] = [await robot('feishu'), await robot('wecom')]
    hanging.feel('hangs')
    const world = await worldWith([hanging, other])
    await raise(world, 'refund_stuck', 'R00000000000000000000000004')
    await expect.poll(() => other.taken, { timeout: 5000 }).toHaveLength(1)
    await raise(world, 'refund_stuck', 'R00000000000000000000000005')
    await expect.poll(() => other.taken, { timeout: 5000 }).toHaveLength(2)
    const errors = () => world.query("SELECT last_error FROM alert_channels WHERE kind = 'feishu'")
    await expect.poll(errors).toEqual([{ last_error: 'no answer within 7 seconds' }])
  })

  test('the pauses of one that fails grow up to five minutes', async () => {
    const channel = await robot('wecom')
    channel.feel('fails')
    const world = await openTestWorld({ environment: settingsOf([channel]) })
    cleanups.push(() => world[Symbol.asyncDispose]())
    const telling = keepAlertsSent(world.services, { everyMs: 20, pauseSeconds: 5 })
    cleanups.push(() => telling.stop())
    await raise(world, 'refund_stuck', 'R00000000000000000000000006')
    const pauses: number[] = []
    for (const turn of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await expect.poll(channel.asked).toBe(turn)
      const pause = async () =>
        (
          await world.query<{ seconds: number; failures: number }>(
            'SELECT failures, round(extract(epoch FROM next_attempt_at - last_failure_at))::int AS seconds FROM alert_channels',
          )
        )[0]
      await expect.poll(async () => (await pause())?.failures).toBe(turn)
      const seconds = (await pause())?.seconds ?? 0
      pauses.push(seconds)
      await world.passTime({ seconds })
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  })
})

describe('many at once', () => {
  test('forty alerts are at most fifteen messages, the last a bundle, and every one is told', async () => {
    const channel = await robot('wecom')
    const world = await worldWith([channel])
    await raise(world, 'payment_mismatch', 'M00000000000000000000000041')
    await expect.poll(() => channel.taken).toHaveLength(1)
    await world.passTime({ seconds: 30 })
    await world.query(`
      INSERT INTO alerts (kind, subject)
      SELECT CASE WHEN n % 2 = 0 THEN 'payment_mismatch' ELSE 'refund_stuck' END, 'M' || lpad(n::text, 26, '0')
      FROM generate_series(2, 40) n`)
    await expect.poll(async () => (await deliveries(world)).filter(({ told }) => told).length).toBe(40)
    expect(channel.taken.length).toBeLessThanOrEqual(15)
    expect(channel.taken.slice(0, -1).every((text) => text.includes('【critical】'))).toBe(true)
    expect(channel.taken.at(-1)).toMatch(/2\d 条告警消息/)
    const sent = channel.taken.length
    await raise(world, 'refund_stuck', 'R00000000000000000000000007')
    await raise(world, 'refund_stuck', 'R00000000000000000000000008')
    // The first message is a minute old then, the others are not.
    await world.passTime({ seconds: 30 })
    await expect.poll(() => channel.taken.length).toBe(sent + 1)
    expect(channel.taken.at(-1)).toMatch(/R000••••0007[\s\S]*R000••••0008/)
  })

  test('a channel that is new learns what is open, and not what was over before', async () => {
    const channel = await robot('wecom')
    const world = await openTestWorld({ environment: settingsOf([channel]) })
    cleanups.push(() => world[Symbol.asyncDispose]())
    await raise(world, 'refund_stuck', 'R00000000000000000000000011')
    await end(world, 'refund_stuck', 'R00000000000000000000000011')
    await raise(world, 'refund_stuck', 'R00000000000000000000000012')
    const telling = keepAlertsSent(world.services, quick)
    cleanups.push(() => telling.stop())
    await expect.poll(() => channel.taken).toHaveLength(1)
    expect(channel.taken[0]).toContain('R000••••0012')
    await raise(world, 'refund_stuck', 'R00000000000000000000000013')
    await expect.poll(() => channel.taken).toHaveLength(2)
    expect(channel.taken[1]).toContain('R000••••0013')
  })
})

describe('whoever holds the lease', () => {
  test('of two processes without workers one tells, and when it dies the other goes on once its lease is over', async () => {
    const channel = await robot('dingtalk')
    const world = await openTestWorld()
    cleanups.push(() => world[Symbol.asyncDispose]())
    const more = { ...settingsOf([channel]), MERIDIAN_ROLE: 'api' }
    const start = () => startApi({ platform: world.platform, databaseUrl: world.databaseUrl, more })
    const first = await start()
    cleanups.push(first.stop)
    const holder = async () =>
      (await world.query<{ holder: string }>('SELECT holder::text FROM alert_lease'))[0]?.holder
    await expect.poll(holder).toBeDefined()
    const firstHolder = await holder()
    const second = await start()
    cleanups.push(second.stop)
    await raise(world, 'refund_stuck', 'R00000000000000000000000021')
    await expect.poll(() => channel.taken).toHaveLength(1)
    first.process.kill('SIGKILL')
    await raise(world, 'payment_mismatch', 'M00000000000000000000000022')
    await expect.poll(() => channel.taken, { timeout: 60_000 }).toHaveLength(2)
    expect(await holder()).not.toBe(firstHolder)
    expect(channel.asked()).toBe(2)
    for (const secret of channel.secrets) {
      expect(first.output()).not.toContain(secret)
      expect(second.output()).not.toContain(secret)
    }
  })

  test('of two processes one sends until it ends in order, then the other at once, and nothing is told twice', async () => {
    const channel = await robot('webhook')
    const world = await openTestWorld({ environment: settingsOf([channel]) })
    cleanups.push(() => world[Symbol.asyncDispose]())
    const holder = async () =>
      (await world.query<{ holder: string }>('SELECT holder::text FROM alert_lease'))[0]?.holder
    const first = keepAlertsSent(world.services, quick)
    await expect.poll(holder).toBeDefined()
    const firstHolder = await holder()
    const second = keepAlertsSent(world.services, quick)
    cleanups.push(() => second.stop())
    for (const turn of [1, 2, 3, 4]) {
      await raise(world, 'refund_stuck', `R0000000000000000000000003${turn}`)
      await expect.poll(() => channel.taken).toHaveLength(turn)
      expect(await holder()).toBe(firstHolder)
    }
    await first.stop()
    await raise(world, 'refund_stuck', 'R00000000000000000000000039')
    await expect.poll(() => channel.taken, { timeout: 5000 }).toHaveLength(5)
    expect(await holder()).not.toBe(firstHolder)
    expect(channel.asked()).toBe(5)
  })

  test('an address that watches over us is called, and no more once nobody can read the alerts', async () => {
    const heart = await robot('webhook')
    const world = await worldWith([], { ALERT_HEARTBEAT_URL: heart.url })
    await expect.poll(heart.asked).toBe(1)
    const due = () => world.passTime({ seconds: 55 })
    await due()
    await expect.poll(heart.asked).toBe(2)
    await world.query('ALTER TABLE alert_lease RENAME TO alert_lease_away')
    const isOver = (seconds: number) =>
      expect
        .poll(
          () =>
            world.query(
              `SELECT FROM alert_lease_away WHERE expires_at < business_now() - interval '${seconds} seconds'`,
            ),
          { interval: 200 },
        )
        .toHaveLength(1)
    await isOver(0)
    const quiet = heart.asked()
    await due()
    await isOver(56)
    expect(heart.asked()).toBe(quiet)
    await world.query('ALTER TABLE alert_lease_away RENAME TO alert_lease')
    await expect.poll(heart.asked).toBe(quiet + 1)
  })

  test('a database that goes away is told by who held the lease, once, and so is its return', async () => {
    const channel = await robot('wecom')
    const world = await openTestWorld({ environment: settingsOf([channel]) })
    cleanups.push(() => world[Symbol.asyncDispose]())
    const telling = keepAlertsSent(world.services, { ...quick, unreachableMs: 100 })
    cleanups.push(() => telling.stop())
    await expect.poll(() => world.query('SELECT FROM alert_lease')).toHaveLength(1)
    await world.query('ALTER TABLE alert_lease RENAME TO alert_lease_away')
    await expect.poll(() => channel.taken).toHaveLength(1)
    expect(channel.taken[0]).toContain('【critical】database_unreachable')
    await world.query('ALTER TABLE alert_lease_away RENAME TO alert_lease')
    await expect.poll(() => channel.taken).toHaveLength(2)
    expect(channel.taken[1]).toMatch(/over.*database_unreachable/)
  })
})

test('a job of an earlier release that tells an alert ends without an act', async () => {
  const world = await openTestWorld({ jobs: true })
  cleanups.push(() => world[Symbol.asyncDispose]())
  await world.query(`SELECT graphile_worker.add_job('tell_alert', '{"alertId": "1"}'::json)`)
  const left = () => world.query("SELECT FROM graphile_worker.jobs WHERE task_identifier = 'tell_alert'")
  await expect.poll(left).toEqual([])
})
