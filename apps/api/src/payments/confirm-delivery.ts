import {
  type Connection,
  column,
  execute,
  nullable,
  oneOf,
  Prisma,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { MiniProgramError, type VirtualPayments } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { type Jobs, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { askAttempt } from '../orders/record-attempt.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { noteOrder } from '../platform/measures/order-measures.ts'
import type { Services } from '../services.ts'

const { sql } = Prisma

/** Nobody has written down until when a delivery must be told: at once, and after an hour somebody is (virtual payment §9). */
const toldAfterSeconds = 3_600
/** What is not confirmed for a week is left to whoever was told, but never before ten tries: no worker may have run that week. */
const givenUpAfterSeconds = 7 * 86_400
const givenUpAfterTries = 10

const longestPauseSeconds = 3_600
/** Half a minute, then twice as long each time, up to an hour. */
const pauseSecondsAfter = (attempt: number): number =>
  Math.min(longestPauseSeconds, 30 * 2 ** Math.min(attempt, 10))

const deliveryColumns = {
  outTradeNo: column.text,
  payerOpenid: column.text,
  confirmedBy: oneOf(['notification', 'sync', 'sweep', 'bill', 'admin_sync', 'replay']),
  /** Since the days were given; null while they are not: nothing has been handed over then. */
  secondsSinceGrant: nullable(column.number),
  secondsSincePayment: column.number,
  goesBack: column.boolean,
}
type Delivery = RowOf<typeof deliveryColumns>

/** A paid attempt of this platform that nobody has said to be delivered. */
async function findDelivery(
  db: Connection,
  attemptNo: string,
  { platformHost }: VirtualPayments,
): Promise<Delivery | null> {
  const rows = await execute(
    db,
    query(
      'find-delivery',
      sql`
      SELECT o.out_trade_no AS "outTradeNo", o.payer_openid AS "payerOpenid", o.confirmed_by AS "confirmedBy",
        (SELECT extract(epoch FROM business_now() - g.created_at)::float8 FROM grants g
          WHERE g.order_id = o.id AND g.kind = 'purchase' LIMIT 1) AS "secondsSinceGrant",
        extract(epoch FROM business_now() - o.confirmed_at)::float8 AS "secondsSincePayment",
        o.refund_reserved_fen = o.amount_fen AS "goesBack"
      FROM order_attempts t JOIN orders o ON o.id = t.order_id
      WHERE t.number = ${attemptNo} AND t.state = 'paid' AND t.delivered_at IS NULL
        AND o.platform_host = ${platformHost}`,
      deliveryColumns,
    ),
  )
  return rows[0] ?? null
}

/** For so long an answered push may have yet to say that it was handed over. */
const pushTakesSeconds = 60

/**
 * Whether it is ours to say that it was handed over. A push that we answer says so by itself (virtual payment §4.3):
 * the platform needs a moment for it, which is over where no worker came sooner. What was not given, or goes back, is not
 * delivered.
 */
function isOursToTell({ confirmedBy, secondsSinceGrant, goesBack }: Delivery, attempt: number): boolean {
  if (secondsSinceGrant === null || goesBack) return false
  return confirmedBy !== 'notification' || attempt > 0 || secondsSinceGrant > pushTakesSeconds
}

/** Asks, tells where it is ours to tell, and asks again. Answers whether the platform counts it as delivered. */
async function confirm(
  { virtual, db }: { virtual: VirtualPayments; db: Connection },
  delivery: Delivery,
  { attemptNo, attempt }: Jobs['confirm_delivery'],
): Promise<boolean> {
  const ask = async () => {
    const answer = await askAttempt({ virtual, db }, { attemptNo, payerOpenid: delivery.payerOpenid })
    return answer.state === 'no_such_order' ? answer.state : answer.order.state
  }
  const state = await ask()
  if (state !== 'paid') return state === 'delivered' || state === 'refunding' || state === 'refunded'
  if (!isOursToTell(delivery, attempt)) return false
  await virtual.provideGoods(attemptNo)
  return (await ask()) === 'delivered'
}

const deliveryKeySql = jobKeySql('confirm_delivery', sql`number`)
const deliveryPayloadSql = (attempt: number) =>
  jobPayloadSql('confirm_delivery', { attemptNo: sql`number`, attempt })

/** Puts the next attempt into the queue, and tells somebody once it takes too long. */
async function tryAgain(
  db: Connection,
  { outTradeNo, secondsSinceGrant, secondsSincePayment }: Delivery,
  { attemptNo, attempt }: Jobs['confirm_delivery'],
): Promise<void> {
  // What is not given yet waits for a decision, which is another alert's matter.
  const isLate = secondsSinceGrant !== null && secondsSinceGrant >= toldAfterSeconds
  const waited = secondsSinceGrant ?? secondsSincePayment
  const runAt = sql`business_now() + ${pauseSecondsAfter(attempt)} * interval '1 second'`
  const isOpen = waited < givenUpAfterSeconds || attempt + 1 < givenUpAfterTries
  const open = sql`order_attempts WHERE number = ${attemptNo} AND ${isOpen}::boolean`
  const again = scheduleJobPart('again', reading([], open), {
    job: 'confirm_delivery',
    payload: deliveryPayloadSql(attempt + 1),
    runAt,
    key: deliveryKeySql,
  })
  const alert = raiseAlertPart('delivery_unconfirmed', outTradeNo, { attempt_no: attemptNo })
  const name = isLate ? 'confirm-delivery-late' : 'confirm-delivery-again'
  await execute(db, statement({ name, parts: isLate ? [again, alert] : [again] }))
}

/**
 * Sees to it that the platform counts what was paid as delivered (virtual payment §3.5), and keeps what it says of the
 * payment. It comes again, less and less often, until that is so; a platform that fails loses nothing. Of somebody whose
 * account is erased nothing can be asked any more: the question names the payer.
 */
export async function confirmDelivery(services: Services, job: Jobs['confirm_delivery']): Promise<void> {
  const { virtual, database, log } = services
  const db = database.pool
  if (!virtual) throw new DomainError('payment_not_configured')
  const delivery = await findDelivery(db, job.attemptNo, virtual)
  noteOrder(delivery?.outTradeNo)
  if (!delivery || isAnonymised(delivery.payerOpenid)) return
  const isDone = await confirm({ virtual, db }, delivery, job).catch((error: unknown) => {
    if (!(error instanceof MiniProgramError)) throw error
    const { reason, errcode, requestId: platformRequestId } = error
    log.warn(
      { attemptNo: job.attemptNo, reason, errcode, platformRequestId },
      'a delivery could not be confirmed',
    )
    return false
  })
  if (!isDone && !delivery.goesBack) await tryAgain(db, delivery, job)
}

/**
 * Begins again what no job waits for: an order that was parked when it was paid, and got its days by a decision since.
 * May be repeated: a job that waits is replaced.
 */
export async function queueMissedDeliveries(
  db: Connection,
  { platformHost }: VirtualPayments,
): Promise<void> {
  const missed = sql`(
    SELECT t.number FROM order_attempts t JOIN orders o ON o.id = t.order_id
      JOIN grants g ON g.order_id = o.id AND g.kind = 'purchase'
    WHERE t.state = 'paid' AND t.settlement IS DISTINCT FROM 'done' AND t.delivered_at IS NULL
      AND o.platform_host = ${platformHost}
      AND g.created_at > business_now() - ${givenUpAfterSeconds} * interval '1 second') missed`
  const job = scheduleJobPart('missed', reading([], missed), {
    job: 'confirm_delivery',
    payload: deliveryPayloadSql(1),
    key: deliveryKeySql,
  })
  await execute(db, statement({ name: 'queue-missed-deliveries', parts: [job] }))
}
