import { beforeAll, expect, test } from 'vitest'
import { type Console, signedInConsole } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let viewer: Console

/** So many users, of whom user n has days until `ends`, an expression of n; null for whoever never had any. */
const plantSubscriptions = (count: number, prefix: string, ends: string) =>
  world.query(
    `WITH people AS (
       INSERT INTO users (id, openid) SELECT gen_random_uuid(), $2 || n FROM generate_series(1, $1::int) n RETURNING id, openid)
     INSERT INTO subscriptions (user_id, seq, expires_at)
     SELECT id, (${ends} IS NOT NULL)::int, ${ends} FROM (SELECT id, substring(openid FROM '\\d+$')::int AS n FROM people) numbered`,
    [count, prefix],
  )

beforeAll(async () => {
  viewer = (await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })).console
  // Ends from 20 days ago to 40 days ahead, twelve hours apart, and five who never had days.
  await plantSubscriptions(
    120,
    'oEnds',
    `business_now() + (n - 40) * interval '12 hours' + interval '1 minute'`,
  )
  await plantSubscriptions(5, 'oNever', 'NULL::timestamptz')
})

const counted = async (condition: string) => {
  const [row] = await world.query<{ count: number; days: number }>(
    `SELECT count(*)::int AS count,
       coalesce(sum(greatest(0, ceil(extract(epoch FROM expires_at - business_now()) / 86400))), 0)::int AS days
     FROM subscriptions WHERE expires_at IS NOT NULL AND ${condition}`,
  )
  return row ?? expect.fail('a sum is one row')
}
const exactly = (count: number) => ({ count, more: false })

const isActive = 'expires_at > business_now()'
const endsSoon = `${isActive} AND expires_at <= business_now() + interval '7 days'`

test('subscriptions are summed as plain SQL sums them: how many run, end soon and are over, and the days left', async () => {
  const all = await counted('TRUE')
  expect(all.count).toBe(120)
  expect(await viewer.subscription.sums.query({})).toEqual({
    ...exactly(120),
    active: exactly((await counted(isActive)).count),
    endingSoon: exactly((await counted(endsSoon)).count),
    expired: exactly((await counted(`NOT ${isActive}`)).count),
    remainingDays: all.days,
  })
})

test('what a filter leaves is summed alone, and parts that it rules out are none', async () => {
  const nobody = exactly(0)
  const over = await counted(`NOT ${isActive}`)
  expect(await viewer.subscription.sums.query({ state: 'expired' })).toEqual({
    ...exactly(over.count),
    active: nobody,
    endingSoon: nobody,
    expired: exactly(over.count),
    remainingDays: 0,
  })
  const soonest = await counted(`${isActive} AND expires_at <= business_now() + interval '3 days'`)
  expect(await viewer.subscription.sums.query({ daysLeft: 3 })).toEqual({
    ...exactly(soonest.count),
    active: exactly(soonest.count),
    endingSoon: exactly(soonest.count),
    expired: nobody,
    remainingDays: soonest.days,
  })
})

test('of more than 10,000 each number is exact or says that there are more, and no days are made up', async () => {
  await plantSubscriptions(10_001, 'oMany', `business_now() + interval '30 days'`)
  expect(await viewer.subscription.sums.query({})).toEqual({
    count: 10_000,
    more: true,
    active: { count: 10_000, more: true },
    endingSoon: exactly((await counted(endsSoon)).count),
    expired: exactly((await counted(`NOT ${isActive}`)).count),
    remainingDays: null,
  })
})
