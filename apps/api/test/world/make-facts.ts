import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { giveDaysByKey } from '../../src/subscriptions/give-days-by-key.ts'
import { plantKey } from './api-key.ts'
import { somebody } from './somebody.ts'
import type { TestWorld } from './test-world.ts'

const { sql } = Prisma

/** As many facts as one person and their device have at most. */
const factsOfOne = 50
const lanesAtOnce = 4

/** How many events each subject has had, by what it is: `device EV-1`, `user 0199…`. */
export type Told = Map<string, number>

type Lane = { pool: Pool; apiKeyId: string; userId: string; serial: string }

const insertBinding = ({ userId, serial }: Lane) =>
  query(
    null,
    sql`INSERT INTO bindings (serial_number, user_id, bound_at) VALUES (${serial}, ${userId}::uuid, business_now())`,
  )
const endBinding = ({ serial }: Lane) =>
  query(
    null,
    sql`UPDATE bindings SET unbound_at = business_now(), end_reason = 'unbound'
      WHERE serial_number = ${serial} AND unbound_at IS NULL`,
  )

/** A transaction that binds or unbinds, notes an alert, and comes to nothing. */
async function rollBack(lane: Lane, isBound: boolean): Promise<void> {
  const client = await lane.pool.connect()
  try {
    await client.query('BEGIN')
    await execute(client, isBound ? endBinding(lane) : insertBinding(lane))
    await client.query(
      `INSERT INTO alerts (kind, subject, detail) VALUES ('order_parked', 'rolled back', '{}')`,
    )
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** Some facts of one person, one after the other; every fifth is tried first by a transaction that is rolled back. */
async function makeFactsOfOne(lane: Lane, facts: number): Promise<{ days: number; bindings: number }> {
  const made = { days: 0, bindings: 0 }
  for (let at = 0; at < facts; at++) {
    const isBound = made.bindings % 2 === 1
    if (at % 5 === 0) await rollBack(lane, isBound)
    if (at % 3 === 0) {
      made.days += 1
      const idempotencyKey = `${lane.serial}-${at}`
      const { pool, apiKeyId, userId } = lane
      await giveDaysByKey(pool, { apiKeyId, idempotencyKey, to: { userId }, days: 1, reason: 'fact' })
    } else {
      made.bindings += 1
      await execute(lane.pool, isBound ? endBinding(lane) : insertBinding(lane))
    }
  }
  return made
}

/** Makes so many facts of many people, several at once. Answers what ought to be told. */
export async function makeFacts(world: TestWorld, facts: number): Promise<Told> {
  const { pool } = world.services.doors.phones
  await plantKey(world, ['grants:write'])
  const [key] = await execute(
    pool,
    query(null, sql`SELECT id::text AS id FROM api_keys ORDER BY created_at DESC LIMIT 1`, {
      id: column.text,
    }),
  )
  if (!key) throw new Error('no key was planted')
  const told: Told = new Map()
  const lanes = Array.from({ length: Math.ceil(facts / factsOfOne) }, (_, at) => `EV-${1000 + at}`)
  const work = async () => {
    for (let serial = lanes.shift(); serial; serial = lanes.shift()) {
      const { userId } = await somebody(world)
      await execute(pool, query(null, sql`INSERT INTO devices (serial_number) VALUES (${serial})`))
      const { days, bindings } = await makeFactsOfOne({ pool, apiKeyId: key.id, userId, serial }, factsOfOne)
      told.set(`user ${userId}`, days)
      told.set(`device ${serial}`, bindings)
    }
  }
  await Promise.all(Array.from({ length: lanesAtOnce }, work))
  return told
}
