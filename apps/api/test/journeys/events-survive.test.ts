import { once } from 'node:events'
import { expect, test } from 'vitest'
import { rotateSecret } from '../../src/events/manage-endpoints.ts'
import { type ApiProcess, startApi } from '../world/api-process.ts'
import { idOf } from '../world/console.ts'
import { makeFacts } from '../world/make-facts.ts'
import { type Received, type Receiver, startReceiver } from '../world/receiver.ts'
import { connectReceiver } from '../world/send-events.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
/** MERIDIAN_EVENT_FACTS=2000 makes fewer or more of them. */
const facts = Number(process.env['MERIDIAN_EVENT_FACTS'] || (deep ? 10_000 : 400))
const kills = deep ? 20 : 2
const timeout = deep ? 3_600_000 : 180_000
const seed = deep ? Date.now() % 0x7fffffff : 20261128

/** What the facts tell of: while hours pass the product may open alerts of its own, which are not counted here. */
const types = ['subscription.changed', 'device.bound', 'device.unbound'] as const

const world = useTestWorld({ environment: { RATE_LIMITS: 'login=100000,anonymous=100000' } })
const owner = useConsole(world, 'owner')

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function chances(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The program that sends, which is killed without a word and started again. */
async function openSender() {
  const start = () => startApi({ platform: world.platform, databaseUrl: world.databaseUrl })
  let api: ApiProcess = await start()
  let starting: Promise<unknown> = Promise.resolve()
  let [killed, isDead] = [0, false]
  return {
    killed: () => killed,
    kill: () => {
      if (isDead) return false
      isDead = true
      killed += 1
      const ended = once(api.process, 'exit')
      api.process.kill('SIGKILL')
      starting = ended.then(start).then((next) => {
        api = next
        isDead = false
      })
      return true
    },
    started: () => starting,
    stop: async () => {
      await starting
      await api.stop()
    },
  }
}

/** How many deliveries there are, and how many of them wait. */
const deliveries = async () => {
  const [row] = await world.query<{ made: number; waiting: number }>(
    `SELECT count(*)::int AS made, count(*) FILTER (WHERE state = 'waiting')::int AS waiting FROM webhook_deliveries`,
  )
  return row ?? { made: 0, waiting: 0 }
}

/** Whoever may rotate does, without a session, which would end while time passes. */
async function rotate(id: string): Promise<string> {
  const operatorId = await idOf(world, 'owner@example.com')
  const { config, services } = world
  const desk = { pool: services.database.pool, dataKeys: config.DATA_KEY, reach: 'loopback' } as const
  const from = { address: '203.0.113.7', userAgent: 'test', requestId: 'rotate' }
  return (await rotateSecret(desk, { id }, { operatorId, from })).secret
}

const subjectOf = ({ event: { type, data } }: Received) =>
  type.startsWith('device.') ? `device ${String(data['serial_number'])}` : `user ${String(data['user_id'])}`

/** Of each subject the numbers that were taken, each when it was taken first. */
function takenInOrder(received: readonly Received[]): Map<string, number[]> {
  const taken = new Map<string, number[]>()
  for (const one of received.filter(({ answered }) => answered === 'takes')) {
    const numbers = taken.get(subjectOf(one)) ?? []
    if (!numbers.includes(one.event.data.seq)) numbers.push(one.event.data.seq)
    taken.set(subjectOf(one), numbers)
  }
  return taken
}

/** What happens when a delivery has come and is not answered yet, by how many came before it; false: not yet. */
type Plan = Map<number, () => boolean>
const refusalsAtOnce = 5

const put = (plan: Plan, place: number, disturbance: () => boolean): void =>
  plan.has(place) ? put(plan, place + 1, disturbance) : void plan.set(place, disturbance)

function disturb(receiver: Receiver, kill: () => boolean): Plan {
  const chance = chances(seed)
  const plan: Plan = new Map()
  let refusals = 0
  const refuse = () => {
    refusals = refusalsAtOnce
    return true
  }
  for (let count = 0; count < kills; count++)
    for (const disturbance of [kill, receiver.die, refuse])
      put(plan, Math.floor(chance() * facts * 0.9), disturbance)
  receiver.behave(() => {
    const place = receiver.received.length
    const disturbance = plan.get(place)
    plan.delete(place)
    // Something of a sender that was killed may still arrive: the next one is to be killed too.
    if (disturbance?.() === false) put(plan, place + refusalsAtOnce, disturbance)
    return refusals-- > 0 ? 503 : 'takes'
  })
  return plan
}

/** The receiver has the new secret some deliveries after it was made: until then it knows the old one alone. */
function planRotation(plan: Plan, receiver: Receiver, id: string): void {
  const takeOver = (secret: string) => () => receiver.secrets.splice(0, 1, secret).length > 0
  put(plan, Math.floor(facts / 2), () => {
    void rotate(id).then((secret) => put(plan, receiver.received.length + 20, takeOver(secret)))
    return true
  })
}

test(`under ${facts} facts and ${kills} kills of sender and receiver each is delivered, in order, with the same bytes and a good signature`, {
  timeout,
}, async () => {
  await using receiver = await startReceiver()
  const id = await connectReceiver(owner, receiver, [...types])
  const [firstSecret] = receiver.secrets
  const sender = await openSender()
  planRotation(disturb(receiver, sender.kill), receiver, id)
  const began = performance.now()
  const expected = await makeFacts(world, facts)
  const total = [...expected.values()].reduce((sum, count) => sum + count, 0)
  let seen = 0
  const lookAgain = async () => {
    await sender.started()
    await receiver.revive()
    // What failed waits for its time, and what a killed sender had for the end of its claim.
    if (receiver.received.length === seen) await world.passTime({ minutes: 6 })
    seen = receiver.received.length
    return deliveries()
  }
  await expect.poll(lookAgain, { timeout, interval: 1_000 }).toEqual({ made: total, waiting: 0 })
  await sender.stop()

  const { received } = receiver
  const rolledBack = await world.query(`SELECT body FROM events WHERE body LIKE '%order_parked%'`)
  expect(rolledBack).toEqual([])
  const whole = [...expected].map(([subject, count]): [string, number[]] => [
    subject,
    Array.from({ length: count }, (_, at) => at + 1),
  ])
  expect(takenInOrder(received)).toEqual(new Map(whole))
  const bytesOf = new Map(received.map((one) => [one.id, one.bytes]))
  expect(bytesOf.size).toBe(total)
  expect(received.filter((one) => bytesOf.get(one.id) !== one.bytes)).toEqual([])
  expect(received.filter(({ verified }) => !verified)).toEqual([])
  expect([sender.killed(), receiver.deaths(), receiver.secrets.includes(firstSecret ?? '')]).toEqual([
    kills,
    kills,
    false,
  ])
  expect(received.length).toBeGreaterThan(total)
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`seed ${seed}: ${total} facts told by ${received.length} deliveries in ${seconds} s\n`)
})
