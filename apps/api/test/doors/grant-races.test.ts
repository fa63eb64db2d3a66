import { GrantAnswer } from '@meridian/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSystem, type System } from '../world/api-key.ts'
import { type ApiProcess, startApi } from '../world/api-process.ts'
import { type Answer, call, codeOf } from '../world/phone.ts'
import { somebody } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
let system: System
let processes: ApiProcess[] = []

beforeAll(async () => {
  system = await newSystem(world, owner, { scopes: ['grants:write'] })
  const { platform, databaseUrl } = world
  processes = await Promise.all([1, 2].map(() => startApi({ platform, databaseUrl })))
})
afterAll(() => Promise.all(processes.map((process) => process.stop())))

type Order = { user_id: string; days: number; idempotency_key: string }

/** All at once, each at the next process, with the key of one system. */
const giveAtOnce = (orders: readonly Order[]): Promise<Answer[]> =>
  Promise.all(
    orders.map((order, at) =>
      call(`${processes[at % processes.length]?.url}/api/v1/integration/grants`, {
        method: 'POST',
        token: system.key,
        body: { reason: 'kept waiting', ...order },
      }),
    ),
  )
const given = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status)

/** What the ledger holds, and what the month of the key counts. */
const keptOf = (userId: string) =>
  world.query(
    `SELECT s.seq, (SELECT sum(days)::int FROM grants WHERE user_id = s.user_id) AS ledger,
       (SELECT sum(days)::int FROM integration_grant_months WHERE user_id = s.user_id) AS months,
       (SELECT count(*)::int FROM integration_grants WHERE user_id = s.user_id) AS names
     FROM subscriptions s WHERE user_id = $1`,
    [userId],
  )

describe('two processes that give days at the same time', () => {
  test('give no user more than 31 in a month, however their calls meet', async () => {
    const { userId } = await somebody(world)
    const answers = await giveAtOnce(
      Array.from({ length: 20 }, (_, at) => ({
        user_id: userId,
        days: 4,
        idempotency_key: `race-${at}`,
      })),
    )
    expect(given(answers, 201)).toHaveLength(7)
    expect(given(answers, 409).map(codeOf)).toEqual(Array(13).fill('grant_limit_reached'))
    expect(await keptOf(userId)).toEqual([{ seq: 7, ledger: 28, months: 28, names: 7 }])
  })

  test('give once what is asked with one name, and both say the same of it', async () => {
    const { userId } = await somebody(world)
    const order = { user_id: userId, days: 5, idempotency_key: 'one-name' }
    const answers = await giveAtOnce(Array<Order>(12).fill(order))
    expect([given(answers, 201).length, given(answers, 200).length]).toEqual([1, 11])
    const said = answers.map(({ body }) => JSON.stringify(GrantAnswer.parse(body)))
    expect(new Set(said).size).toBe(1)
    expect(await keptOf(userId)).toEqual([{ seq: 1, ledger: 5, months: 5, names: 1 }])
  })

  test('give one of two who ask for different things with one name, and tell the other that it is used', async () => {
    const [one, other] = [await somebody(world), await somebody(world)]
    const orders = [one, other].map(({ userId }) => ({
      user_id: userId,
      days: 5,
      idempotency_key: 'contested',
    }))
    const answers = await giveAtOnce(orders)
    expect(given(answers, 201)).toHaveLength(1)
    expect(given(answers, 422).map(codeOf)).toEqual(['idempotency_key_reused'])
    const kept = [...(await keptOf(one.userId)), ...(await keptOf(other.userId))]
    expect(kept).toHaveLength(2)
    expect(kept).toContainEqual({ seq: 1, ledger: 5, months: 5, names: 1 })
    expect(kept).toContainEqual({ seq: 0, ledger: null, months: null, names: 0 })
  })
})
