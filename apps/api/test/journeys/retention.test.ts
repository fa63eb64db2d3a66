import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { hire } from '../world/console.ts'
import { userIdOf } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

const count = async (table: string) =>
  (await world.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count

/** Two rows of each kind that has a time to be kept: one whose time is over, one whose is not. */
async function plant(): Promise<void> {
  await world.query(
    `INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, first_at)
     SELECT 'EV-' || n, 'X', 'S', '{}', '', '{}', 'ignored', now() - n * interval '17 months' FROM generate_series(1, 5) n`,
  )
  await world.query(
    `INSERT INTO rejected_deliveries (reason, source, headers, body, at)
     SELECT 'stale', 'x', '{}', '', now() - n * interval '29 days' FROM generate_series(1, 2) n`,
  )
  await world.query(
    `INSERT INTO rejection_counts (reason, hour, count) SELECT 'stale', now() - n * interval '17 months', 1 FROM generate_series(1, 2) n`,
  )
  const phone = await world.phone()
  const userId = await userIdOf(world, phone)
  await world.query(
    `INSERT INTO token_families (id, user_id, created_at, expires_at) VALUES ($1::uuid, $2::uuid, now() - interval '181 days', now() - interval '2 days')`,
    [randomUUID(), userId],
  )
  await world.query(
    `WITH device AS (INSERT INTO devices (serial_number) VALUES ('SN-0001') RETURNING serial_number)
     INSERT INTO bind_challenges (nonce, serial_number, user_id, expires_at)
     SELECT n.nonce, serial_number, $1::uuid, n.at FROM device, (VALUES ($2::bytea, now() - interval '2 days'), ($3::bytea, now())) n(nonce, at)`,
    [userId, randomBytes(16), randomBytes(16)],
  )
  await world.query(
    `WITH bill AS (
       INSERT INTO bills (kind, bill_date, sha1)
       SELECT 'trade', (now() - n * interval '399 days')::date, repeat(n::text, 40) FROM generate_series(0, 2) n WHERE n <> 1
       RETURNING id)
     INSERT INTO bill_rows (bill_id, line, kind, traded_at, transaction_id, out_trade_no, status, amount_fen, settled_fen, fee_hundred_thousandths, rate)
     SELECT id, line, 'payment', now(), 't', 'o', 's', 1, 1, 0, '0' FROM bill, generate_series(1, 3) line`,
  )
}

/** Events of which the newest is old too, a delivery of each, an old test, and lines of the outbox of which one is not told. */
async function plantEvents(): Promise<void> {
  await world.query(
    `INSERT INTO events (event_id, type, subject_kind, subject, seq, body, created_at)
     SELECT 'evt_' || repeat(n::text, 26), 'order.paid', 'order', 'x', n, '{}', now() - interval '31 days' FROM generate_series(1, 3) n`,
  )
  await world.query(
    `WITH endpoint AS (
       INSERT INTO webhook_endpoints (id, url, description, types, sealed_secret, created_by)
       SELECT gen_random_uuid(), 'https://example.com', 'x', '{}', '', id FROM operators LIMIT 1 RETURNING id),
     told AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_id, type, subject_kind, subject, next_attempt_at)
       SELECT endpoint.id, events.id, 'order.paid', 'order', 'x', now() FROM endpoint, events)
     INSERT INTO webhook_deliveries (endpoint_id, body, type, subject_kind, subject, next_attempt_at, created_at)
     SELECT id, '{}', 'webhook.test', 'test', n::text, now(), now() - n * interval '20 days' FROM endpoint, generate_series(1, 2) n`,
  )
  await world.query(
    `INSERT INTO outbox_lines (type, subject, data, created_at)
     SELECT 'alert.opened', n::text, '{}', now() - interval '31 days' FROM generate_series(1, 2) n`,
  )
  await world.query(`INSERT INTO watermarks (name, line_id) SELECT 'told_others', min(id) FROM outbox_lines`)
}

test('of events the newest stays, of the outbox what is not told yet', async () => {
  await hire(world, { email: 'o@example.com' })
  await plantEvents()
  const gone = await purgeExpired(world.services.database.pool)
  expect(gone).toMatchObject({ events: 2, webhook_tests: 1, outbox_lines: 1 })
  expect(await count('events')).toBe(1)
  expect(await count('webhook_deliveries')).toBe(2)
  expect(await count('outbox_lines')).toBe(1)
})

test('what was kept long enough goes in small batches, everything else stays, and a second run finds nothing', async () => {
  await plant()
  const gone = await purgeExpired(world.services.database.pool, { batch: 2 })
  expect(gone).toMatchObject({
    notifications: 4,
    rejections: 1,
    rejection_counts: 1,
    sign_ins: 1,
    challenges: 1,
    bill_rows: 3,
    alerts: 0,
  })
  expect(await count('notifications')).toBe(1)
  expect(await count('bill_rows')).toBe(3)
  expect(await count('bills')).toBe(2)
  expect(await count('token_families')).toBe(1)
  const again = await purgeExpired(world.services.database.pool)
  expect(Object.values(again).every((rows) => rows === 0)).toBe(true)
})

test('a run ends after its number of batches, however much is left', async () => {
  await world.query(
    `INSERT INTO rejected_deliveries (reason, source, headers, body, at)
     SELECT 'stale', 'x', '{}', '', now() - interval '40 days' FROM generate_series(1, 10) n`,
  )
  const { rejections } = await purgeExpired(world.services.database.pool, { batch: 3, batches: 2 })
  expect(rejections).toBe(6)
})
