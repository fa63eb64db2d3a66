import { dayAfter, daysLeft } from '@meridian/contracts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { todayInChina } from '../../src/dashboard/days.ts'
import { hire, signInAnew } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
/** Of each plan as many, who bought at different seconds. */
const people = deep ? 40 : 12
const perPerson = 25
const dayMs = 86_400_000
const plans = ['monthly', 'quarterly', 'yearly'] as const
const owner = 'owner@example.com'

const world = useTestWorld()

beforeAll(async () => {
  await hire(world, { email: owner })
})

type Buyer = { phone: Phone; userId: string; expiresAt: Date }

/** Somebody who has just bought, a while after the one before. */
async function buys(turn: number): Promise<Buyer> {
  await world.passTime({ minutes: 1, seconds: (turn * 37) % 60 })
  const phone = await world.phone()
  await phone.pays(await phone.buys(plans[turn % plans.length] ?? 'monthly'))
  const [held] = await world.query<{ userId: string; expiresAt: Date }>(
    `SELECT user_id AS "userId", expires_at AS "expiresAt" FROM subscriptions
     WHERE user_id = (SELECT id FROM users WHERE openid = $1)`,
    [phone.openid],
  )
  if (!held) throw new Error('a purchase that was paid gave no days')
  return { phone, ...held }
}

/** Lets the clock of the business stand still: whoever asks from now on asks at the same instant. */
const standStill = (instant: Date) =>
  world.query(`CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    AS $$SELECT timestamptz '${instant.toISOString()}'$$`)

/** Ten instants anywhere in the year, nine at midnight in the business's zone and six at ends of days, also a moment off. */
function instantsOf(buyers: readonly Buyer[], now: Date): Date[] {
  const [far, midnight] = [
    fc.sample(fc.integer({ min: 1, max: 400 * dayMs }), { numRuns: 10, seed: 20261123 }),
    fc.sample(fc.integer({ min: 1, max: 400 }), { numRuns: 3, seed: 20261124 }),
  ]
  const edges = [
    ...midnight.map((days) => Date.parse(`${dayAfter(todayInChina(now), days)}T00:00:00+08:00`)),
    ...buyers.slice(0, 2).map(({ expiresAt }, place) => expiresAt.getTime() - place * 7 * dayMs),
  ]
  return [...far.map((ms) => now.getTime() + ms), ...edges.flatMap((edge) => [edge - 1, edge, edge + 1])].map(
    (ms) => new Date(ms),
  )
}

type Console = Awaited<ReturnType<typeof signInAnew>>['console']

/** What each place that tells somebody's days says at one instant. */
async function toldDays({ phone, userId }: Buyer, console: Console, lists: Map<string, number>[]) {
  const [own, subscription, user] = await Promise.all([
    phone.subscription(),
    console.subscription.detail.query({ userId }),
    console.user.detail.query({ id: userId }),
  ])
  return [
    own.remaining_days,
    subscription.remainingDays,
    user.remainingDays,
    ...lists.map((days) => days.get(userId)),
  ]
}

/** The days that both lists of the console tell, by user. */
async function listedDays(console: Console): Promise<Map<string, number>[]> {
  const [subscriptions, users] = await Promise.all([
    console.subscription.list.query({ limit: 100 }),
    console.user.list.query({ limit: 100 }),
  ])
  return [
    new Map(subscriptions.items.map(({ userId, remainingDays }) => [userId, remainingDays])),
    new Map(users.items.map(({ id, remainingDays }) => [id, remainingDays])),
  ]
}

test(`header, list and phone tell the same days at ${people * perPerson} instants, those of the one function`, async () => {
  const buyers: Buyer[] = []
  for (let turn = 0; turn < people; turn += 1) buyers.push(await buys(turn))
  const instants = instantsOf(buyers, world.services.runtime.now())
  expect(instants).toHaveLength(perPerson)
  // Signing in on every phone at each instant is not what is asked here.
  await world.query(`UPDATE token_families SET expires_at = business_now() + interval '2 years'`)
  for (const instant of instants) {
    await standStill(instant)
    const { console } = await signInAnew(world, owner)
    const lists = await listedDays(console)
    for (const buyer of buyers) {
      const told = await toldDays(buyer, console, lists)
      const days = daysLeft(buyer.expiresAt, instant)
      expect(told, `${buyer.expiresAt.toISOString()} at ${instant.toISOString()}`).toEqual(
        told.map(() => days),
      )
    }
  }
}, 600_000)
