import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { changeDays } from '../../src/subscriptions/change-days.ts'
import { grantTrial } from '../../src/subscriptions/grant-trial.ts'
import { findForeignGrants, verifyLedger, verifyLedgersOf } from '../../src/subscriptions/verify-ledger.ts'
import { hire } from '../world/console.ts'
import { setSetting } from '../world/set-setting.ts'
import { somebody } from '../world/somebody.ts'
import { dayMs, heldClock } from '../world/stop-clock.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
let operatorId: string
const pool = () => world.services.database.pool
const { at, holdAt, begin } = heldClock(world)

beforeAll(async () => {
  operatorId = await hire(world, { email: 'one@example.com', role: 'operator' })
  await begin()
})

const give = (userId: string, days: number, entries = 0) =>
  changeDays(
    world.services.database.prisma,
    { userId, days, reason: 'a good reason', entries },
    { operatorId, from: { address: '', userAgent: '', requestId: '' } },
  )
const grantWith = (...features: string[]) => setSetting(world, 'granted_features', features)
/** Who differs, among all or among these. */
const differing = async (userIds?: string[]) => {
  const found = userIds ? await verifyLedgersOf(pool(), userIds) : (await verifyLedger(pool())).differences
  return found.map(({ userId }) => userId).sort()
}

/** The end of the days and of each feature, by how many days after the beginning each lies. */
async function endsOf(userId: string): Promise<Record<string, number>> {
  const rows = await world.query<{ name: string; ends: Date }>(
    `SELECT 'all' AS name, expires_at AS ends FROM subscriptions WHERE user_id = $1
     UNION ALL SELECT key, value::timestamptz FROM subscriptions, jsonb_each_text(feature_expires_at) WHERE user_id = $1`,
    [userId],
  )
  return Object.fromEntries(rows.map(({ name, ends }) => [name, (ends.getTime() - at(0).getTime()) / dayMs]))
}

test('what is stored of trials, purchases, days by hand and lapses is what the ledger says, feature by feature', async () => {
  const { phone, userId } = await somebody(world)
  const { serialNumber } = await plantWearable(world)
  await grantWith('report_detail')
  await inTransaction(pool(), (client) =>
    grantTrial(client, { userId, serialNumber, days: 7, openidMac: null }),
  )
  await grantWith('manual_treatment')
  await give(userId, 10, 1)
  expect(await endsOf(userId)).toEqual({ all: 17, report_detail: 7, manual_treatment: 10 })
  await holdAt(8)
  await phone.pays(await phone.buys())
  expect(await endsOf(userId)).toEqual({ all: 47, report_detail: 38, manual_treatment: 40 })
  await holdAt(39)
  await give(userId, -3, 3)
  expect(await endsOf(userId)).toEqual({ all: 44, report_detail: 38, manual_treatment: 39 })
  expect(await differing()).toEqual([])
  await holdAt(50)
  await grantWith('report_detail', 'manual_treatment')
  await give(userId, 5, 4)
  expect(await endsOf(userId)).toEqual({ all: 55, report_detail: 55, manual_treatment: 55 })
  await give(userId, -9, 5)
  expect(await endsOf(userId)).toEqual({ all: 50, report_detail: 50, manual_treatment: 50 })
  await somebody(world)
  expect(await verifyLedger(pool())).toEqual({ checked: 2, differences: [] })
})

describe('a subscription that is not what its ledger says', () => {
  test.each([
    ['end', `expires_at = '2099-01-01T00:00:00Z'`],
    ['number of entries', 'seq = 2'],
    ['feature', `feature_expires_at = feature_expires_at || '{"report_detail": "2099-01-01T00:00:00Z"}'`],
    ['features', `feature_expires_at = '{}'`],
  ])('is told by its user with both: its %s', async (_, change) => {
    const [{ userId }, sound] = [await somebody(world), await somebody(world)]
    await give(userId, 10)
    await give(sound.userId, 3)
    const read = async () =>
      (
        await world.query<{ told: string }>(
          `SELECT concat_ws(' ', seq, expires_at, feature_expires_at) AS told FROM subscriptions WHERE user_id = $1`,
          [userId],
        )
      )[0]?.told
    const before = await read()
    await tamper(world, `UPDATE subscriptions SET ${change} WHERE user_id = '${userId}'`)
    const after = await read()
    expect((await verifyLedger(pool())).differences).toEqual([
      { userId, what: `stored ${after}, recomputed ${before}` },
    ])
    await tamper(
      world,
      `UPDATE subscriptions s SET seq = 1, expires_at = g.expires_after, feature_expires_at =
         (SELECT jsonb_object_agg(feature, (to_jsonb(g.expires_after AT TIME ZONE 'UTC') #>> '{}') || '+00:00') FROM unnest(g.features) feature)
       FROM grants g WHERE g.user_id = s.user_id AND s.user_id = '${userId}'`,
    )
    expect(await differing()).toEqual([])
  })

  test('is found among those who are looked at, and a check that was stopped goes on behind the last', async () => {
    const people = [await somebody(world), await somebody(world), await somebody(world)]
    for (const { userId } of people) await give(userId, 10)
    const [first = '', second = '', third = ''] = people.map(({ userId }) => userId).sort()
    const add = (entries: number) =>
      tamper(
        world,
        `UPDATE subscriptions SET seq = seq + ${entries} WHERE user_id IN ('${first}', '${third}')`,
      )
    await add(1)
    expect(await differing()).toEqual([first, third])
    expect(await differing([first, second])).toEqual([first])
    expect(await differing([second])).toEqual([])

    const told: string[] = []
    const stopped = verifyLedger(pool(), {
      atOnce: 1,
      tell: ({ lastUserId, differences }) => {
        told.push(...differences.map(({ userId }) => userId))
        if (lastUserId === second) throw new Error('stopped')
      },
    })
    await expect(stopped).rejects.toThrow('stopped')
    expect(told).toEqual([first])
    const whole = await verifyLedger(pool())
    const rest = await verifyLedger(pool(), { after: second })
    expect(rest.differences.map(({ userId }) => userId)).toEqual([third])
    const before = await world.query('SELECT FROM subscriptions WHERE user_id <= $1', [second])
    expect(rest.checked).toBe(whole.checked - before.length)
    await add(-1)
  })
})

test('a purchase that was paid on another platform is told, and no days that nobody paid', async () => {
  const { phone, userId } = await somebody(world)
  await give(userId, 4)
  await phone.pays(await phone.buys())
  await phone.pays(await phone.buys('yearly'))
  const own = new URL(world.platform.url).host
  expect(await findForeignGrants(pool(), [own])).toEqual([])
  const told = (await findForeignGrants(pool(), ['elsewhere.example'])).filter((one) => one.userId === userId)
  expect(told).toEqual([
    { userId, what: `grant 2 was paid on ${own}` },
    { userId, what: `grant 3 was paid on ${own}` },
  ])
})
