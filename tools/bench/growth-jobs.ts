import { migrate, type Pool } from '@meridian/db'
import { addUpOrders } from '../../apps/api/src/dashboard/add-up-orders.ts'
import { addUpSubscriptions } from '../../apps/api/src/dashboard/add-up-subscriptions.ts'
import { keepUserFunnels } from '../../apps/api/src/dashboard/keep-user-funnels.ts'
import { addUpNotifications } from '../../apps/api/src/dashboard/notification-counts.ts'
import { addUpAccounts } from '../../apps/api/src/finance/add-up-accounts.ts'
import { guardInvariants } from '../../apps/api/src/invariants/guard-invariants.ts'
import { matchDay } from '../../apps/api/src/reconciliation/match-bill.ts'
import { purgeExpired } from '../../apps/api/src/retention/purge-expired.ts'
import { verifyLedger } from '../../apps/api/src/subscriptions/verify-ledger.ts'
import type { Cost } from './measure-costs.ts'
import type { BenchWorld } from './open-world.ts'

const mchId = '1900000000'

/** The bills of a day long past, which say what our orders say; answers how many payments they show. */
const plantBills = `
  WITH day AS (SELECT (now() - interval '100 days')::date AS date),
  made AS (
    INSERT INTO bills (kind, bill_date, sha1, row_count)
    SELECT kind::bill_kind, date, repeat('0', 40), 1 FROM day, unnest(ARRAY['trade', 'fund_flow']) kind
    ON CONFLICT DO NOTHING RETURNING id, kind),
  paid AS (
    SELECT o.*, (row_number() OVER (ORDER BY id))::int AS line FROM orders o, day
    WHERE paid_at >= date::timestamp AT TIME ZONE 'Asia/Shanghai' AND paid_at < (date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
  rows AS (
    INSERT INTO bill_rows (bill_id, line, kind, traded_at, transaction_id, out_trade_no, status, amount_fen, settled_fen,
      fee_hundred_thousandths, rate)
    SELECT made.id, line, 'payment', paid_at, transaction_id, out_trade_no, 'SUCCESS', amount_fen, amount_fen, 0, '0.00%'
    FROM paid, made WHERE made.kind = 'trade'),
  flows AS (
    INSERT INTO bill_flows (bill_id, line, booked_at, business_no, business_type, purpose, incoming, amount_fen)
    SELECT made.id, line, paid_at, transaction_id, '交易', '交易', true, amount_fen
    FROM paid, made WHERE made.kind = 'fund_flow'),
  opened AS (INSERT INTO reconciliation_days (date) SELECT date FROM day ON CONFLICT DO NOTHING)
  SELECT date::text, (SELECT count(*)::int FROM paid) AS payments FROM day`

/** A day is reconciled payment by payment: what counts is what each costs. */
const reconciliationCost =
  ({ services: { database } }: BenchWorld): Cost =>
  async () => {
    const { rows } = await database.pool.query<{ date: string; payments: number }>(plantBills)
    await database.pool.query('ANALYZE bill_rows, bill_flows')
    const [{ date, payments } = { date: '', payments: 0 }] = rows
    return {
      run: () => matchDay(database.pool, { date, mchId, platformHost: null }),
      things: payments / 1000,
    }
  }

const ledgerCost =
  ({ services: { database }, history }: BenchWorld): Cost =>
  async () => ({ run: () => verifyLedger(database.pool), things: history.users / 1000 })

/** All of the past added up anew, as after the release that brings the sums; the panels read them afterwards. */
const firstSumsCost =
  ({ services: { database }, history }: BenchWorld): Cost =>
  async () => {
    await database.pool.query(
      'TRUNCATE order_block_sums, order_day_sums, subscription_hour_sums, notification_hour_sums; DELETE FROM watermarks',
    )
    return { runs: [() => addUp(database.pool)], things: history.orders / 1000 }
  }

/** Brings the sums that the overview and finance read up to date, as a job does every minute. */
export const addUp = async (pool: Pool) => {
  await addUpOrders(pool)
  await addUpSubscriptions(pool)
  await addUpNotifications(pool)
}

/**
 * Deferred income, churn and cohorts, which are added up user by user. The planted past gives a fifth of all orders to one
 * user, which above so many orders is a ledger longer than the calendar: then they are not added up, and not read.
 */
export const hasAccounts = ({ orders }: BenchWorld['history']): boolean => orders <= 100_000
export const addUpAllAccounts = (pool: Pool) => addUpAccounts(pool, Number.POSITIVE_INFINITY)

/** What has to be there before what reads it. */
export const firstCosts = (world: BenchWorld): Record<string, Cost> => ({
  'the overview added up from nothing, each 1,000 orders': firstSumsCost(world),
  'the ways of users kept, each 1,000 orders': async () => ({
    runs: [() => keepUserFunnels(world.services.database.pool, new Date())],
    things: world.history.orders / 1000,
  }),
})

/** What the clock starts, and what an operator runs by hand. */
export const jobCosts = (world: BenchWorld): Record<string, Cost> => {
  const { pool } = world.services.database
  const url = world.environment['DATABASE_URL'] ?? ''
  return {
    'reconciliation of a day, each 1,000 payments': reconciliationCost(world),
    'the overview added up again': async () => ({ run: () => addUp(pool) }),
    'the invariants checked': async () => ({ run: () => guardInvariants(pool) }),
    'what is old forgotten': async () => ({ run: () => purgeExpired(pool) }),
    'ledger:verify, each 1,000 users': ledgerCost(world),
    'migrate, nothing pending': async () => ({ run: () => migrate(url) }),
  }
}
