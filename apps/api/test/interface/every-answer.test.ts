import { beforeAll, describe, expect, test } from 'vitest'
import { plantKey } from '../world/api-key.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { accountAnswers } from './answers/account-answers.ts'
import { anyAnswers, ask, nameOf } from './answers/any-answers.ts'
import { deviceAnswers } from './answers/device-answers.ts'
import { integrationAnswers } from './answers/integration-answers.ts'
import { orderAnswers } from './answers/order-answers.ts'
import { reportAnswers } from './answers/report-answers.ts'
import { sessionAnswers } from './answers/session-answers.ts'
import type { Scene, Scenes } from './answers/stage.ts'
import { readCommitted } from './committed-documents.ts'
import { declaredCodes, OpenApiDocument, type Operation, operationsOf } from './read-document.ts'

const scenes: Scenes = {
  ...sessionAnswers,
  ...accountAnswers,
  ...orderAnswers,
  ...deviceAnswers,
  ...reportAnswers,
  ...integrationAnswers,
}
const operations = operationsOf(OpenApiDocument.parse(readCommitted('current')))

/** Whoever is without a database is told so by a test of its own, at the end. */
const databaseDown = 'service_unavailable'
/** These wait for the platform or for another call: seconds each, so all at the same time. */
const slow = ['payment_platform_timeout', 'idempotency_in_progress']

const successesOf = ({ responses }: Operation) =>
  Object.keys(responses).filter((status) => Number(status) < 400)
const declaredBy = (operation: Operation): string[] => [
  ...successesOf(operation),
  ...declaredCodes(operation).map(({ code }) => code),
]
const sceneOf = (operation: Operation, answer: string): Scene | undefined =>
  scenes[operation.name]?.[answer] ?? anyAnswers[answer]?.(operation)

type Case = { operation: Operation; answer: string; scene: Scene | undefined }
const cases: Case[] = operations.flatMap((operation) =>
  declaredBy(operation)
    .filter((answer) => answer !== databaseDown)
    .map((answer) => ({ operation, answer, scene: sceneOf(operation, answer) })),
)

const world = useTestWorld()
const bare = useTestWorld({
  payments: 'off',
  merchant: { appSecret: 'not-the-secret-of-this-app' },
  environment: {
    RATE_LIMITS: 'login=1,purchase=1,sync=1,bind=1,reports=1,user=1,anonymous=1,integration=1',
    TRUST_PROXY: '127.0.0.0/8',
  },
})

let key: string
beforeAll(async () => {
  key = await plantKey(world)
})

const provoke = async ({ scene }: Case) => {
  const answer = await scene?.({ world, bare, phone: await world.phone(), key })
  return answer && nameOf(answer)
}

test('there is a way to provoke every answer that any operation declares', () => {
  expect(
    cases.filter(({ scene }) => !scene).map(({ operation, answer }) => `${operation.name} ${answer}`),
  ).toEqual([])
  expect(cases.length).toBeGreaterThan(150)
})

// That an answer is as the document declares it is checked wherever a test calls the API; here that each exists.
describe.each(operations)('$name answers', (operation) => {
  const own = cases.filter((one) => one.operation === operation && one.scene && !slow.includes(one.answer))
  test.each(own)('$answer', async (one) => {
    expect(await provoke(one)).toBe(one.answer)
  })
})

test('operations that wait in vain say so', async () => {
  const waiting = cases.filter(({ answer, scene }) => scene && slow.includes(answer))
  expect(waiting.length).toBeGreaterThan(3)
  const answers = await Promise.all(waiting.map(provoke))
  expect(answers).toEqual(waiting.map(({ answer }) => answer))
})

test('every operation says so while its database takes no connections', async () => {
  const phone = await world.phone()
  const code = world.platform.loginCode(phone.openid)
  const unread = await plantKey(world)
  const name = new URL(world.databaseUrl).pathname.slice(1)
  const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
  await bare.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
  await bare.query(others, [name])
  const answers: [string, string][] = []
  for (const operation of operations) {
    const body = operation.name === 'POST /auth/login' ? { body: { code } } : {}
    answers.push([operation.name, nameOf(await ask(operation, { phone, key: unread }, body))])
  }
  await bare.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
  expect(answers).toEqual(operations.map((operation) => [operation.name, databaseDown]))
})
