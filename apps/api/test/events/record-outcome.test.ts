import { execute, Prisma, query } from '@meridian/db'
import { beforeEach, expect, test } from 'vitest'
import { giveUpWaitingSql, holdEndpoint } from '../../src/events/hold-endpoint.ts'
import { recordOutcome } from '../../src/events/record-outcome.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
const pool = () => world.services.database.pool

let endpoint = ''
beforeEach(async () => {
  const wanted = { url: 'http://127.0.0.1:9/hook', description: 'crm', types: [] }
  endpoint = (await owner.webhooks.create.mutate(wanted)).id
})

const newDelivery = async () => (await owner.webhooks.test.mutate({ id: endpoint })).id
const answered = (id: string, status: number) =>
  recordOutcome(pool(), { id: BigInt(id), attempts: 0 }, { status, answer: '', error: null, headers: {} })
const stateOf = async (id: string) => (await owner.webhooks.delivery.query({ id })).state

test('a first failure and an operator who gives up what waits do not wait for each other', async () => {
  const delivery = await newDelivery()
  const recorded = await inTransaction(pool(), async (client) => {
    await holdEndpoint(client, endpoint)
    const recording = answered(delivery, 500)
    await untilWaiting(world, 1)
    await execute(client, query('give-up-webhook', giveUpWaitingSql(Prisma.sql`${endpoint}::uuid`)))
    return { recording }
  })
  await recorded.recording
  expect(await stateOf(delivery)).toBe('given_up')
})

test('a success after a success waits for nobody who holds the endpoint', async () => {
  const [first, second] = [await newDelivery(), await newDelivery()]
  await answered(first, 204)
  await inTransaction(pool(), async (client) => {
    await holdEndpoint(client, endpoint)
    await answered(second, 204)
  })
  expect(await stateOf(second)).toBe('delivered')
})
