import { randomUUID } from 'node:crypto'
import { openDatabase } from '@meridian/db'
import { keptNotification, parkOrder, plantReconciledDay } from './database.ts'
import type { Phone } from './phone.ts'
import { world } from './world.ts'

export type Desks = Awaited<ReturnType<typeof plantDesks>>

const owner = `(SELECT id FROM operators WHERE email = 'owner@meridian.test')`
const finance = `(SELECT id FROM operators WHERE email = 'finance@meridian.test')`

/** What others and other times have left behind: each parameter is the order's number, the user and a new operator. */
const leftovers = `
  WITH asked AS (
    INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, note, requested_by)
    SELECT 'R0' || substr($1, 3), id, 100, 'user_request', '用户来电申请', ${finance} FROM orders WHERE out_trade_no = $1),
  abnormal AS (
    INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, status, requested_by, decided_at)
    SELECT 'R1' || substr($1, 3), id, 100, 'defect', 'abnormal', ${finance}, now() FROM orders WHERE out_trade_no = $1),
  requested AS (
    INSERT INTO grant_requests (user_id, days, reason, requested_by) VALUES ($2::uuid, 60, '门店活动补偿', ${finance})),
  alert AS (INSERT INTO alerts (kind, subject) VALUES ('refund_abnormal', 'R1' || substr($1, 3))),
  job AS (UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'the platform was down'
           WHERE id = (SELECT max(id) FROM graphile_worker._private_jobs)),
  view AS (INSERT INTO saved_views (id, operator_id, page, name, query)
           VALUES (gen_random_uuid(), ${owner}, 'refunds', '已退款', 'status=succeeded') ON CONFLICT DO NOTHING)
  INSERT INTO operators (id, email, name, role, password_hash, disabled_at)
  VALUES ($3::uuid, 'gone-' || $3 || '@meridian.test', '前同事', 'viewer', '', now())`

/** One of each thing that the dialogs of the console are about; answers how they are called. */
export async function plantDesks(phone: Phone, day: string) {
  const { out_trade_no: paid } = await phone.buysAndPays('yearly')
  const { order: waiting } = await phone.buys('monthly')
  const serial = `DESK-${randomUUID().slice(0, 8).toUpperCase()}`
  await phone.binds(serial)
  const user = (await phone.isKnownAs()) ?? ''
  const former = randomUUID()
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  await database.pool.query(leftovers, [paid, user, former])
  const { rows } = await database.pool.query<{ id: string }>(`SELECT ${finance} AS id`)
  await parkOrder(waiting.out_trade_no)
  await plantReconciledDay(day, paid)
  return {
    ...{ paid, waiting: waiting.out_trade_no, serial, user, day, former },
    colleague: rows[0]?.id ?? '',
    notification: await keptNotification(paid),
    refund: { asked: `R0${paid.slice(2)}`, abnormal: `R1${paid.slice(2)}` },
  }
}
