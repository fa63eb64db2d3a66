import { type Database, execute, type Pool, Prisma, query } from '@meridian/db'
import { PaymentsError } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { enqueueJobSql, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { dayBefore } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { keepBill } from './keep-bill.ts'
import { flowKeeper, type Settlement, tradeRowKeeper } from './keep-rows.ts'
import { type MatchVerdict, matchBill, openDaySql } from './match-bill.ts'

export type DayVerdict = MatchVerdict | { state: 'creating' }

/** One waiting job per day, whoever asks. */
const enqueuedDay = (date: string, runAt: Prisma.Sql): Prisma.Sql => {
  const key = jobKeySql('reconcile_day', Prisma.sql`${date}::text`)
  return enqueueJobSql('reconcile_day', jobPayloadSql('reconcile_day', { date }), { runAt, key })
}

/** The platform writes bills until late in the morning and asks to be asked again every half hour. */
const enqueueAgain = (pool: Pool, date: string) =>
  execute(
    pool,
    query(
      'reconcile-again',
      Prisma.sql`SELECT ${enqueuedDay(date, Prisma.sql`business_now() + interval '30 minutes'`)}`,
    ),
  )

/** For so long the platform hands out its bills. */
const billDays = 90

/**
 * An operator has a day reconciled, whenever its turn was.
 * @throws DomainError invalid_request for a day that is not over or whose bill is not to be had any more
 */
export async function requestReconciliation(
  database: Database,
  { date, operatorId, from }: Actor & { date: string },
  now: Date,
): Promise<void> {
  if (date > dayBefore(now) || date < dayBefore(new Date(now.getTime() - billDays * 86_400_000)))
    throw new DomainError('invalid_request', {
      errors: [{ path: 'date', message: { zh: '不在最近 90 天之内', en: 'is no day of the last 90' } }],
    })
  const subject = { type: 'reconciliation_day', id: date }
  await database.$transaction(async (db) => {
    await writeAudit(db, { operatorId, action: 'reconciliation.run', subject }, from)
    await db.$queryRaw(Prisma.sql`SELECT ${enqueuedDay(date, Prisma.sql`business_now()`)}`)
  })
}

async function takeBills(services: Services, date: string, settle: Settlement): Promise<DayVerdict> {
  const { payments, database } = services
  const { pool } = database
  if (!payments) throw new DomainError('payment_not_configured')
  await execute(pool, query('open-reconciliation-day', openDaySql(date)))
  const keepTrades = tradeRowKeeper(pool, settle)
  const tradeId = await keepBill(pool, await payments.tradeBill(date), {
    kind: 'trade',
    date,
    keepRows: keepTrades,
  })
  const flows = tradeId === null ? null : await payments.fundFlowBill(date)
  const flowId =
    flows && (await keepBill(pool, flows, { kind: 'fund_flow', date, keepRows: flowKeeper(pool) }))
  if (tradeId === null || flowId === null) {
    await enqueueAgain(pool, date)
    return { state: 'creating' }
  }
  // Without knowing how much came in just now, the planner compares each order with each row.
  await execute(pool, query(null, Prisma.sql`ANALYZE bill_rows, bill_flows`))
  return matchBill(pool, { date, tradeId, mchId: payments.mchId })
}

/**
 * Fetches the bills of a day (YYYY-MM-DD, China), keeps them with their hash, settles what only the platform knows
 * and makes a work item of each difference. May be repeated for any day of the last three months.
 * @throws PaymentsError when a bill cannot be had or does not hold together; nothing of it was compared then
 */
export async function reconcileDay(
  services: Services,
  date: string,
  settle: Settlement,
): Promise<DayVerdict> {
  try {
    const verdict = await takeBills(services, date, settle)
    services.log.info({ date, ...verdict }, 'reconciled a day')
    return verdict
  } catch (error) {
    if (error instanceof PaymentsError) {
      const detail = { reason: error.reason, code: error.code }
      await execute(
        services.database.pool,
        query('raise-alert', raiseAlertSql('bill_unavailable', date, detail)),
      )
    }
    throw error
  }
}
