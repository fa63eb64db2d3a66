import { execute, type Pool, Prisma, query } from '@meridian/db'
import { PaymentsError } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { enqueueJobSql, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { dayBefore } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { keepBill } from './keep-bill.ts'
import { flowKeeper, type Settlement, tradeRowKeeper } from './keep-rows.ts'
import { type DayToMatch, type MatchVerdict, matchDay, openDaySql } from './match-bill.ts'

export type DayVerdict = MatchVerdict | { state: 'creating' }

/** A day with the channels that are configured. */
export const dayOf = (
  { payments, virtual }: Pick<Services, 'payments' | 'virtual'>,
  date: string,
): DayToMatch => ({
  date,
  mchId: payments?.mchId ?? null,
  platformHost: virtual?.platformHost ?? null,
})

/** One waiting job per day and channel, whoever asks. */
const enqueuedDay = (
  job: 'reconcile_day' | 'reconcile_virtual_day',
  date: string,
  runAt: Prisma.Sql,
): Prisma.Sql => {
  const key = jobKeySql(job, Prisma.sql`${date}::text`)
  return enqueueJobSql(job, jobPayloadSql(job, { date }), { runAt, key })
}

/** The platform writes bills until late in the morning and asks to be asked again every half hour. */
const enqueueAgain = (pool: Pool, date: string) =>
  execute(
    pool,
    query(
      'reconcile-again',
      Prisma.sql`SELECT ${enqueuedDay('reconcile_day', date, Prisma.sql`business_now() + interval '30 minutes'`)}`,
    ),
  )

/** For so long the platform hands out its bills. */
const billDays = 90

type Asking = Actor & { date: string }

/**
 * An operator has a day reconciled, in every channel that is configured, whenever its turn was.
 * @throws DomainError payment_not_configured; invalid_request for a day that is not over or whose bill is not to be had
 *   any more
 */
export async function requestReconciliation(
  { payments, virtual, database: { prisma }, runtime }: Services,
  { date, operatorId, from }: Asking,
): Promise<void> {
  if (!payments && !virtual) throw new DomainError('payment_not_configured')
  const now = runtime.now()
  if (date > dayBefore(now) || date < dayBefore(new Date(now.getTime() - billDays * 86_400_000)))
    throw new DomainError('invalid_request', {
      errors: [{ path: 'date', message: { zh: '不在最近 90 天之内', en: 'is no day of the last 90' } }],
    })
  const subject = { type: 'reconciliation_day', id: date }
  const enqueued = [
    ...(payments ? (['reconcile_day'] as const) : []),
    ...(virtual ? (['reconcile_virtual_day'] as const) : []),
  ].map((job) => enqueuedDay(job, date, Prisma.sql`business_now()`))
  await prisma.$transaction(async (db) => {
    await writeAudit(db, { operatorId, action: 'reconciliation.run', subject }, from)
    await db.$queryRaw(Prisma.sql`SELECT ${Prisma.join(enqueued)}`)
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
  return matchDay(pool, dayOf(services, date))
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
