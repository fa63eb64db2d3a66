import { type AlertKind, alertSeverities, type HealedBy } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { healAlertsStatement } from '../alerts/write-alert.ts'
import { isParkedSql } from '../orders/park-order.ts'
import type { Services } from '../services.ts'

const { sql } = Prisma

/** The fact by which alert `a` is over, as a scalar expression: a word of HealedBy, or null while it is not over. */
type Fact = Prisma.Sql

/** How a kind ends by itself: by a fact of its subject, by the watch that opened it, or not at all. */
type Ending = Fact | 'watch' | 'person'

const over = (by: HealedBy, source: Prisma.Sql): Fact => sql`(SELECT ${by}::text FROM ${source} LIMIT 1)`

/** What tells the payment of the order `o` from every other: its attempt in virtual payment, else its transaction. */
const paidByNo = sql`coalesce(o.paid_attempt_no, o.transaction_id)`

/** Another payment of the same order that did not fit either: its money is here, whatever became of the first. */
const otherPaymentSql = sql`
  SELECT 1 FROM notifications n WHERE n.out_trade_no = a.subject
    AND n.outcome IN ('mismatch', 'order_unknown', 'second_transaction')
    AND coalesce(n.payload ->> 'transaction_id', n.payload ->> 'OutTradeNo') <> ${paidByNo}`

/** The order is paid by the very transaction that did not fit at first: a later answer of the platform was right. */
const paidAfterAll: Fact = sql`(
  SELECT CASE WHEN o.status = 'refunded' THEN 'order_refunded' ELSE 'order_paid' END FROM orders o
  WHERE o.out_trade_no = a.subject AND o.status IN ('paid', 'refunded')
    AND ${paidByNo} = a.detail ->> 'transaction_id' AND NOT EXISTS (${otherPaymentSql}))`

const refundOf = (condition: Prisma.Sql): Prisma.Sql =>
  sql`refunds r WHERE r.out_refund_no = a.subject AND ${condition}`

const hasEnded = sql`r.status NOT IN ('requested', 'approved', 'processing', 'abnormal')`

/** The platform's later word about the same refund fits: an event of its end, written after the alert. */
const settledLater = sql`EXISTS (
  SELECT 1 FROM order_events e WHERE e.order_id = r.order_id AND e.at >= a.opened_at
    AND e.kind IN ('refund', 'refund_closed') AND e.detail ->> 'out_refund_no' = r.out_refund_no)`

/** The buyer has the money by another refund of at least the same sum, or by refunds of the whole order. */
const replaced = sql`r.status = 'closed' AND (
  EXISTS (SELECT 1 FROM orders o WHERE o.id = r.order_id AND o.status = 'refunded')
  OR EXISTS (SELECT 1 FROM refunds later WHERE later.order_id = r.order_id AND later.id > r.id
    AND later.status = 'succeeded' AND later.amount_fen >= r.amount_fen))`

const noUnreadableLeft = sql`NOT EXISTS (
  SELECT 1 FROM notifications n WHERE n.outcome = 'unreadable' AND n.detail ->> 'reason' = a.subject)`

/**
 * Per kind of alert, by which fact it is over. Where only a person can know, or has to have looked, it stays open
 * until somebody says so. A kind that is not named here does not compile.
 */
const endings: Readonly<Record<AlertKind, Ending>> = {
  payment_mismatch: paidAfterAll,
  order_unknown: paidAfterAll,
  second_transaction: 'person',
  possible_double_payment: over(
    'order_refunded',
    sql`orders o WHERE o.out_trade_no = ANY (string_to_array(a.subject, ' ')) AND o.status = 'refunded'`,
  ),
  order_parked: over(
    'order_decided',
    sql`orders o WHERE o.out_trade_no = a.subject AND NOT (${isParkedSql({ left: false })})`,
  ),
  external_refund: 'person',
  virtual_price_differs: 'person',
  virtual_payment_refused: 'person',
  delivery_unconfirmed: over(
    'delivery_confirmed',
    sql`order_attempts t WHERE t.number = a.detail ->> 'attempt_no' AND t.delivered_at IS NOT NULL`,
  ),
  complaint_received: 'person',
  account_risk: 'person',
  coins_paid: 'person',
  refund_mismatch: over('refund_ended', refundOf(settledLater)),
  refund_abnormal: sql`(
    SELECT CASE WHEN r.status = 'succeeded' THEN 'refund_succeeded' ELSE 'refund_ended' END
    FROM ${refundOf(hasEnded)})`,
  refund_closed: over('refund_replaced', refundOf(replaced)),
  refund_stuck: sql`(
    SELECT CASE r.status WHEN 'succeeded' THEN 'refund_succeeded' WHEN 'processing' THEN 'refund_accepted'
      ELSE 'refund_ended' END
    FROM ${refundOf(sql`(${hasEnded} OR (r.status = 'processing' AND r.failure IS NULL))`)})`,
  refund_contradicted: 'person',
  notification_unreadable: over(
    'notification_processed',
    sql`notifications known WHERE known.id = a.detail ->> 'notification' AND known.outcome <> 'unreadable'
      AND ${noUnreadableLeft}`,
  ),
  invariant_violated: 'person',
  // A bill that is only kept, and one that the day is reconciled by.
  bill_unavailable: sql`(
    SELECT 'bill_reconciled' WHERE CASE WHEN a.detail ? 'bill'
      THEN EXISTS (SELECT 1 FROM bills b WHERE b.bill_date = left(a.subject, 10)::date
        AND b.kind::text = a.detail ->> 'bill' AND b.row_count IS NOT NULL)
      ELSE EXISTS (SELECT 1 FROM reconciliation_days d WHERE d.date = left(a.subject, 10)::date
        AND d.matched_at > a.last_at) END)`,
  bill_differences: sql`(
    SELECT 'differences_resolved' WHERE NOT EXISTS (
      SELECT 1 FROM reconciliation_differences d WHERE d.date = a.subject::date AND d.state = 'open'))`,
  shipping_refused: over(
    'shipping_uploaded',
    sql`orders o JOIN shipping_uploads u ON u.order_id = o.id
      WHERE o.out_trade_no = a.subject AND u.state = 'uploaded'`,
  ),
  shipping_misconfigured: over(
    'shipping_uploaded',
    sql`orders o JOIN shipping_uploads u ON u.order_id = o.id
      WHERE o.out_trade_no = a.detail ->> 'order' AND u.state = 'uploaded'`,
  ),
  reminder_misconfigured: over(
    'reminders_sent',
    sql`reminders r WHERE r.claimed_at > a.last_at AND r.sent_at IS NOT NULL`,
  ),
  clock_skewed: 'person',
  notifications_refused: 'watch',
  prepay_failing: 'watch',
  payments_failing: 'watch',
  platform_unreachable: 'watch',
  payments_missing: 'watch',
  job_dead: 'watch',
  workers_silent: 'watch',
  key_expiring: 'watch',
  backup_old: 'watch',
  reconciliation_missing: 'watch',
  limits_not_shared: 'watch',
  database_timeline_changed: 'watch',
  outbox_stuck: 'watch',
  endpoint_disabled: 'person',
  export_failing: 'watch',
  threshold_changed: 'person',
  factor_changed: 'person',
  price_changed_far: 'person',
  program_published: 'person',
}

/** So many alerts of a kind are judged in one turn, chosen anew each time, so that none waits for ever behind others. */
const judgedAtOnce = 200

const isKind = (kind: string): kind is AlertKind => Object.hasOwn(alertSeverities, kind)

/** The kinds of which an alert is open: a shop where nothing happens asks this and no more. */
async function openKinds(pool: Pool): Promise<AlertKind[]> {
  const rows = await execute(
    pool,
    query('list-open-alert-kinds', sql`SELECT DISTINCT kind FROM alerts WHERE resolved_at IS NULL`, {
      kind: column.text,
    }),
  )
  return rows.map(({ kind }) => kind).filter(isKind)
}

/** How the alerts of this kind heal; null where only a condition or a person ends them. */
export function healingOf(kind: AlertKind) {
  const how = endings[kind]
  return how === 'watch' || how === 'person' ? null : healAlertsStatement(kind, { how, limit: judgedAtOnce })
}

type Healing = { services: Pick<Services, 'alarmPool' | 'log'>; signal?: AbortSignal }

/**
 * Ends the open alerts whose matter is over, and keeps by which fact. A kind that cannot be judged stays as it is and
 * keeps no other from being judged. Answers what ended, as kind and subject.
 */
export async function healAlerts({ services: { alarmPool: pool, log }, signal }: Healing): Promise<string[]> {
  const ended: string[] = []
  for (const kind of await openKinds(pool)) {
    const healing = healingOf(kind)
    if (!healing || signal?.aborted) continue
    try {
      const rows = await execute(pool, healing)
      ended.push(...rows.map(({ subject }) => `${kind} ${subject}`))
    } catch (error) {
      log.warn({ kind, reason: String(error) }, 'alerts of a kind could not be healed')
    }
  }
  return ended
}
