import { type BillKind, column, execute, oneOf, type Pool, Prisma, query } from '@meridian/db'
import {
  MiniProgramError,
  PaymentsError,
  type RawBill,
  type VirtualBill,
  type VirtualPayments,
} from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import type { Services } from '../services.ts'
import { keepBill } from './keep-bill.ts'

const { sql } = Prisma

type WantedBill = { kind: Extract<BillKind, 'virtual' | 'apple'>; date: string; isOverdue: boolean }

/** The first call only has the bill made (virtual payment §3.7): a day's is asked for on each run of a week. */
const daysAskedFor = 7

/**
 * Bills that are not here yet, of days and months in which something was paid: of the days up to `date`, each overdue on
 * the third run; Apple's of the two months before, whose money comes 45 to 60 days after the end of the month (virtual
 * payment §1.3), overdue in the last week of the second. `date` is the day that is reconciled: today is the next one.
 */
const listWanted = (pool: Pool, { platformHost }: VirtualPayments, date: string) =>
  execute(
    pool,
    query(
      'list-wanted-bills',
      sql`
      WITH run AS (SELECT ${date}::date + 1 AS today),
      periods AS (
        SELECT 'virtual'::bill_kind AS kind, day::date AS since, day::date + 1 AS until, day::date + 2 < today AS overdue
        FROM run, generate_series((today - ${daysAskedFor}::int)::timestamp, today - 1, interval '1 day') day
        UNION ALL
        SELECT 'apple', month::date, (month + interval '1 month')::date, today >= (month + interval '3 months')::date - 7
        FROM run, generate_series(date_trunc('month', today::timestamp) - interval '2 months',
          date_trunc('month', today::timestamp) - interval '1 month', interval '1 month') month)
      SELECT kind::text AS kind, since::text AS date, overdue AS "isOverdue" FROM periods p
      WHERE EXISTS (
          SELECT 1 FROM orders o WHERE o.paid_at >= since::timestamp AT TIME ZONE 'Asia/Shanghai'
            AND o.paid_at < until::timestamp AT TIME ZONE 'Asia/Shanghai'
            AND o.channel = 'virtual' AND o.platform_host = ${platformHost} AND (o.trade_type = 'APPLE') = (p.kind = 'apple'))
        AND NOT EXISTS (
          SELECT 1 FROM bills b WHERE b.bill_date = since AND b.kind = p.kind AND b.row_count IS NOT NULL)
      ORDER BY since, kind`,
      { kind: oneOf(['virtual', 'apple']), date: column.text, isOverdue: column.boolean },
    ),
  )

const askFor = (virtual: VirtualPayments, { kind, date }: WantedBill): Promise<VirtualBill> =>
  kind === 'virtual' ? virtual.dailyBill(date) : virtual.appleBill(date.slice(0, 7))

async function* noRows(): AsyncGenerator<never> {}

/** Keeps the bytes as they are, unread. */
const keepRaw = (pool: Pool, { sha1, bytes, discard }: RawBill, { kind, date }: WantedBill) =>
  keepBill(
    pool,
    { state: 'ready', requestId: null, sha1, bytes, discard, rows: noRows },
    { kind, date, keepRows },
  )

const keepRows = async () => undefined

/** Answers why the bill is not here, or null when it is. */
async function keepWanted(pool: Pool, virtual: VirtualPayments, wanted: WantedBill): Promise<object | null> {
  try {
    const bill = await askFor(virtual, wanted)
    if (bill.state === 'later') return wanted.isOverdue ? { reason: 'not_yet', code: null } : null
    for (const url of bill.urls) await keepRaw(pool, await virtual.downloadBill(url), wanted)
    return null
  } catch (error) {
    if (error instanceof MiniProgramError && error.reason === 'not_yet' && !wanted.isOverdue) return null
    if (error instanceof MiniProgramError) return { reason: error.reason, code: error.errcode }
    if (error instanceof PaymentsError) return { reason: error.reason, code: error.status }
    throw error
  }
}

/**
 * Keeps the bills of virtual payment that are to be had and not here yet, compressed and unread: nothing is compared with
 * them. They are of live payments alone. One that cannot be had is told (`bill_unavailable`), and keeps nothing else from
 * being done.
 */
export async function keepVirtualBills(services: Services, date: string): Promise<void> {
  const { virtual, log } = services
  const { pool } = services.database
  if (virtual?.env !== 0) return
  for (const wanted of await listWanted(pool, virtual, date)) {
    const { kind, date: of } = wanted
    const missing = await keepWanted(pool, virtual, wanted)
    if (!missing) continue
    log.warn({ bill: kind, date: of, ...missing }, 'a bill of virtual payment could not be had')
    const alert = raiseAlertSql('bill_unavailable', `${of} ${kind}`, { bill: kind, date: of, ...missing })
    await execute(pool, query('raise-alert', alert))
  }
}
