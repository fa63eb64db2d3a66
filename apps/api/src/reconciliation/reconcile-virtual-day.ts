import { setTimeout as delay } from 'node:timers/promises'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { MiniProgramError, type VirtualPayments } from '@meridian/payments'
import { isAnonymisedSql } from '../orders/anonymise-payer.ts'
import { type AskedAttempt, askAttempt } from '../orders/record-attempt.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { agreesSql, dayEndSql, isPaidVirtuallyOnSql, type VirtualDay } from './find-virtual-differences.ts'
import { type MatchVerdict, matchDay, openDaySql } from './match-bill.ts'
import { dayOf } from './reconcile-day.ts'

const { sql } = Prisma

/** What all questions of a run take together: the platform's limits are not published (virtual payment §9). */
const questionsPerSecond = 5
/** So many questions without an answer end a run: the platform is not there, and the job comes again. */
const mostFailedInARow = 3

const pageSize = 100

type Asking = Pick<Services, 'log'> & { virtual: VirtualPayments; pool: Pool }

/** Asks about one attempt after the other, never faster than the platform may like. */
function openQuestions({ virtual, pool, log }: Asking) {
  let failedInARow = 0
  let last: MiniProgramError | null = null
  const ask = async (attempt: AskedAttempt) => {
    const turn = delay(1000 / questionsPerSecond)
    try {
      await askAttempt({ virtual, db: pool }, attempt)
      failedInARow = 0
    } catch (error) {
      if (!(error instanceof MiniProgramError)) throw error
      last = error
      failedInARow += 1
      const { reason, errcode, requestId: platformRequestId } = error
      log.warn(
        { attemptNo: attempt.attemptNo, reason, errcode, platformRequestId },
        'an attempt could not be asked about',
      )
      if (failedInARow === mostFailedInARow) throw error
    }
    await turn
  }
  return {
    ask,
    /** Throws what the platform answered to the last question that it did not answer. */
    requireAll: () => {
      if (last) throw last
    },
  }
}

const askedColumns = { id: column.bigint, attemptNo: column.text, payerOpenid: column.text }

/**
 * A run that was broken off goes on where it was: what agreed within the last hour is not asked about again. Within a run
 * each order has one question.
 */
const listQuestions = (pool: Pool, day: VirtualDay, after: bigint) =>
  execute(
    pool,
    query(
      'list-questions-of-day',
      sql`
      SELECT o.id, t.number AS "attemptNo", o.payer_openid AS "payerOpenid"
      FROM orders o JOIN order_attempts t ON t.number = o.paid_attempt_no
      WHERE ${isPaidVirtuallyOnSql(day)} AND o.id > ${after} AND NOT ${isAnonymisedSql}
        AND ((t.asked_at >= greatest(${dayEndSql(day.date)}, business_now() - interval '1 hour')) IS NOT TRUE OR NOT ${agreesSql})
      ORDER BY o.id LIMIT ${pageSize}`,
      askedColumns,
    ),
  )

async function askAboutDay(asking: Asking, day: VirtualDay): Promise<void> {
  const questions = openQuestions(asking)
  let after = 0n
  for (;;) {
    const page = await listQuestions(asking.pool, day, after)
    for (const { id, ...attempt } of page) {
      await questions.ask(attempt)
      after = id
    }
    if (page.length < pageSize) return questions.requireAll()
  }
}

/**
 * Asks the platform about every order of virtual payment that was paid on a day (YYYY-MM-DD, China), keeps what it says
 * with the order, and makes a work item of each difference (SPEC §15). May be repeated, for any day.
 * @throws MiniProgramError where an order could not be asked about; what was answered is compared all the same, unless
 *   the platform is not there at all
 */
export async function reconcileVirtualDay(services: Services, date: string): Promise<MatchVerdict> {
  const { virtual, log } = services
  const { pool } = services.database
  if (!virtual) throw new DomainError('payment_not_configured')
  await execute(pool, query('open-reconciliation-day', openDaySql(date)))
  const unanswered = await askAboutDay(
    { virtual, pool, log },
    { date, platformHost: virtual.platformHost },
  ).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof MiniProgramError)) throw error
      return error
    },
  )
  const verdict = await matchDay(pool, dayOf(services, date))
  log.info({ date, ...verdict }, 'reconciled a day of virtual payment')
  if (unanswered) throw unanswered
  return verdict
}

/** Half an hour of questions; what is left is first on the next day. */
const mostSettlements = 9_000

/** From which day after the payment on, and how often a payment is asked about that has not been settled. */
type Settling = { firstDay: number; everyHours: number }

/** An ordinary payment is settled after three days, Apple's 45 to 60 days after the end of its month (virtual payment §1.3). */
const ordinary: Settling = { firstDay: 3, everyHours: 20 }
const apple: Settling = { firstDay: 45, everyHours: 7 * 24 }
/** What was not settled by then is not asked about any more. */
const lastDay = 120

const isDueSql = ({ firstDay, everyHours }: Settling): Prisma.Sql => sql`(
  o.paid_at + ${firstDay} * interval '24 hours' <= business_now() AND t.asked_at + ${everyHours} * interval '1 hour' <= business_now())`

const listUnsettled = (pool: Pool, { platformHost }: VirtualPayments) =>
  execute(
    pool,
    query(
      'list-unsettled-attempts',
      sql`
      SELECT t.number AS "attemptNo", o.payer_openid AS "payerOpenid"
      FROM order_attempts t JOIN orders o ON o.id = t.order_id
      WHERE t.state = 'paid' AND t.settlement IS DISTINCT FROM 'done' AND o.platform_host = ${platformHost}
        AND o.paid_at + ${lastDay} * interval '24 hours' > business_now() AND NOT ${isAnonymisedSql}
        AND CASE WHEN t.by_apple THEN ${isDueSql(apple)} ELSE ${isDueSql(ordinary)} END
      ORDER BY t.asked_at, t.number LIMIT ${mostSettlements}`,
      { attemptNo: column.text, payerOpenid: column.text },
    ),
  )

/**
 * Asks which payments have reached us and what the platform kept of them, those first that were asked about longest ago.
 * @throws MiniProgramError where one could not be asked about
 */
export async function askAboutSettlements(services: Services): Promise<void> {
  const { virtual, log } = services
  const { pool } = services.database
  if (!virtual) throw new DomainError('payment_not_configured')
  const questions = openQuestions({ virtual, pool, log })
  for (const attempt of await listUnsettled(pool, virtual)) await questions.ask(attempt)
  questions.requireAll()
}
