import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { keepAlertsSent } from '../../src/alerts/delivery/keep-alerts-sent.ts'
import { tellRequests } from '../../src/inbox/tell-requests.ts'
import { idOf, signedInConsole } from '../world/console.ts'
import { type RobotKind, startRobot } from '../world/robots.ts'
import { askRefund } from '../world/send-refund.ts'
import { openTestWorld } from '../world/test-world.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A world that tells requests to one robot, looking often. */
async function tellingWorld(kind: RobotKind) {
  const robot = await startRobot(kind)
  cleanups.push(() => robot[Symbol.asyncDispose]())
  const world = await openTestWorld({
    environment: { ALERT_CHANNELS: robot.setting, ALERT_ALLOW_PRIVATE: 'true' },
  })
  const telling = keepAlertsSent(world.services, {
    everyMs: 50,
    sourcesEveryMs: 50,
    pauseSeconds: 0.05,
    sources: [tellRequests],
  })
  cleanups.push(() => world[Symbol.asyncDispose]())
  cleanups.push(() => telling.stop())
  const email = 'asker@example.com'
  const { console: asker } = await signedInConsole(world, { email, role: 'finance' })
  const { console: second } = await signedInConsole(world, { email: 'second@example.com', role: 'finance' })
  return { robot, world, asker, second, askerId: await idOf(world, email) }
}

const Told = z.object({
  approval: z.string(),
  kind: z.string(),
  state: z.enum(['open', 'over']),
  subject: z.string(),
  amount_fen: z.number().nullable(),
  requested_by: z.string(),
  outcome: z.string().nullable(),
  url: z.string(),
})

test('a refund that waits for a second person is told once with sum, asker and link, and once when it is decided', async () => {
  const { robot, world, second, askerId } = await tellingWorld('webhook')
  const outTradeNo = await (await world.phone()).buysAndPays('yearly')
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen: 26_800, operatorId: askerId })
  await expect.poll(() => robot.taken.length).toBe(1)
  const told = (text = '') => Told.parse(JSON.parse(text))
  const opened = told(robot.taken[0])
  expect(opened).toMatchObject({ kind: 'refund', state: 'open', amount_fen: 26_800, outcome: null })
  expect(opened.subject).toContain('••••')
  expect(JSON.stringify(opened)).not.toContain(outRefundNo)
  expect(opened.requested_by).not.toBe('')
  expect(opened.url).toBe('http://127.0.0.1:3000/inbox')
  await second.refund.decide.mutate({ outRefundNo, approve: false })
  await expect.poll(() => robot.taken.length).toBe(2)
  expect(told(robot.taken[1])).toMatchObject({
    approval: opened.approval,
    state: 'over',
    outcome: 'rejected',
  })
  expect(robot.asked()).toBe(2)
  expect(await world.query('SELECT 1 FROM alerts')).toEqual([])
})

test('days and prices are told in both languages, and where nobody asks anything nothing is told', async () => {
  const { robot, world, askerId } = await tellingWorld('wecom')
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by) VALUES ('plan', 'monthly', 'null', '{}', $1)`,
    [askerId],
  )
  await expect.poll(() => robot.taken.length).toBe(1)
  expect(robot.taken[0]).toContain('【待审批 needs approval】plan')
  expect(robot.taken[0]).toContain('对象 subject: monthly')
  await world.query(
    `UPDATE approval_requests SET state = 'withdrawn', decided_by = requested_by, decided_at = business_now()`,
  )
  await expect.poll(() => robot.taken.length).toBe(2)
  expect(robot.taken[1]).toContain('已撤回 / withdrawn')
  // Written down once the robot has answered.
  const notOver = () => world.query('SELECT 1 FROM news_deliveries WHERE over_told_at IS NULL')
  await expect.poll(notOver).toEqual([])
})

test('what a channel refuses is told again, and many at once come in one message', async () => {
  const { robot, world, askerId } = await tellingWorld('webhook')
  robot.feel('fails')
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     SELECT 'plan', 'plan-' || n, 'null', '{}', $1::uuid FROM generate_series(1, 30) n`,
    [askerId],
  )
  await expect.poll(() => robot.asked()).toBeGreaterThan(0)
  robot.feel('well')
  const told = () => world.query('SELECT 1 FROM news_deliveries WHERE told_at IS NOT NULL')
  await expect.poll(async () => (await told()).length, { timeout: 20_000 }).toBe(30)
  expect(robot.taken.length).toBeLessThanOrEqual(15)
  expect(robot.taken.some((text) => text.includes('"others"'))).toBe(true)
})
