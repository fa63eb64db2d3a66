import {
  FeatureClock,
  LedgerEntry,
  type SubscriptionDetail,
  SubscriptionRow,
  unpaidStatuses,
} from '@meridian/contracts'
import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { settingSql } from '../settings/read-settings.ts'
import { barrenOrderColumns, explainAccess } from './explain-access.ts'
import { listGrantRequests } from './list-grant-requests.ts'
import { currentPlanNameSql, usableFeaturesSql } from './list-subscriptions.ts'

const { sql } = Prisma

type Entry = Pick<LedgerEntry, 'kind' | 'days' | 'outTradeNo' | 'effectiveAt'>

/** The entries that were given back with their import, each by the last one of its instant that has as many days. */
function findGivenBack(entries: readonly Entry[]): ReadonlySet<Entry> {
  const givenBack = new Set<Entry>()
  for (const [at, { kind, days, effectiveAt }] of entries.entries()) {
    if (kind !== 'imported' || days > 0) continue
    const given = entries
      .slice(0, at)
      .findLast(
        (entry) =>
          entry.days === -days &&
          entry.effectiveAt.getTime() === effectiveAt.getTime() &&
          !givenBack.has(entry),
      )
    if (given) givenBack.add(given)
  }
  return givenBack
}

/**
 * Of each entry's days, how many still lie ahead (SPEC: grants are consumed in the order they were written, so what
 * is left belongs to the last ones). What a refund took back counts against its own order's entry, what was given back
 * with an import against the entry of that; days taken by hand come off the whole.
 * @param entries in the order they were written
 */
export function shareUnusedDays(entries: readonly Entry[], remainingDays: number): number[] {
  const takenOf = (outTradeNo: string | null) =>
    entries
      .filter((entry) => entry.kind === 'refund_revocation' && entry.outTradeNo === outTradeNo)
      .reduce((sum, { days }) => sum - days, 0)
  const givenBack = findGivenBack(entries)
  const daysOf = (entry: Entry) => (givenBack.has(entry) ? 0 : entry.days)
  let left = remainingDays
  return entries
    .map((entry) => daysOf(entry) - (entry.kind === 'purchase' ? takenOf(entry.outTradeNo) : 0))
    .toReversed()
    .map((own) => {
      const unused = Math.max(0, Math.min(own, left))
      left -= unused
      return unused
    })
    .toReversed()
}

const StoredClock = FeatureClock.extend({ expiresAt: z.string().nullable() })
type StoredClock = z.infer<typeof StoredClock>
const headColumns = {
  ...columnsOf(SubscriptionRow.omit({ customer: true })),
  disabledAt: nullable(column.instant),
  userSince: column.instant,
  clocks: json(StoredClock.array()),
}

const headOf = (userId: string): Prisma.Sql => sql`
  SELECT s.user_id AS "userId", coalesce(s.expires_at > business_now(), false) AS "isActive", s.expires_at AS "expiresAt",
    ${remainingDaysSql(sql`s.expires_at`)} AS "remainingDays", ${currentPlanNameSql} AS "planName",
    ${usableFeaturesSql} AS features, s.seq AS entries, u.disabled_at AS "disabledAt", u.created_at AS "userSince",
    (SELECT coalesce(json_agg(json_build_object('feature', feature, 'expiresAt', expires_at, 'isUsable', usable)
        ORDER BY feature), '[]')
      FROM (
        SELECT key AS feature, value AS expires_at, value::timestamptz > business_now() OR free.list ? key AS usable
          FROM jsonb_each_text(s.feature_expires_at)
        UNION ALL
        SELECT feature, NULL, true FROM jsonb_array_elements_text(free.list) feature
          WHERE NOT s.feature_expires_at ? feature) clocks) AS clocks
  FROM subscriptions s JOIN users u ON u.id = s.user_id, ${settingSql('free_features')} AS free(list)
  WHERE s.user_id = ${userId}::uuid`

const entryColumns = columnsOf(LedgerEntry.omit({ unusedDays: true }))

const ledgerOf = (userId: string): Prisma.Sql => sql`
  SELECT g.seq, g.kind, g.days, g.features, g.effective_at AS "effectiveAt", g.expires_before AS "expiresBefore",
    g.expires_after AS "expiresAfter", g.plan_name AS "planName", o.out_trade_no AS "outTradeNo",
    r.out_refund_no AS "outRefundNo", g.serial_number AS "serialNumber", g.reason, w.email AS "operatorEmail",
    k.name AS "apiKeyName"
  FROM grants g LEFT JOIN refunds r ON r.id = g.refund_id LEFT JOIN orders o ON o.id = coalesce(g.order_id, r.order_id)
    LEFT JOIN operators w ON w.id = g.operator_id
    LEFT JOIN integration_grants i ON i.user_id = g.user_id AND i.seq = g.seq LEFT JOIN api_keys k ON k.id = i.api_key_id
  WHERE g.user_id = ${userId}::uuid ORDER BY g.seq`

/** The newest orders that brought no days: waiting, parked, or paid late and sent back. */
const barrenOrdersOf = (userId: string): Prisma.Sql => sql`
  SELECT o.out_trade_no AS "outTradeNo", o.status, o.park_reason AS "parkReason",
    o.paid_at IS NOT NULL AS "isPaid"
  FROM orders o WHERE o.user_id = ${userId}::uuid AND (o.status = ANY(${[...unpaidStatuses]}::order_status[]) OR o.parked OR o.late)
    AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')
  ORDER BY o.created_at DESC, o.id DESC LIMIT 5`

const toClock = ({ expiresAt, ...clock }: StoredClock): FeatureClock => ({
  ...clock,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
})

/**
 * The head of a user's subscription and every entry of its ledger, in the order they were written.
 * @throws DomainError not_found
 */
async function readLedger(pool: Pool, userId: string) {
  const [[head], entries] = await Promise.all([
    execute(pool, query('show-subscription-head', headOf(userId), headColumns)),
    execute(pool, query('show-ledger', ledgerOf(userId), entryColumns)),
  ])
  if (!head) throw new DomainError('not_found')
  const unused = shareUnusedDays(entries, head.remainingDays)
  return { head, ledger: entries.map((entry, at) => ({ ...entry, unusedDays: unused[at] ?? 0 })) }
}

/**
 * The ledger alone; it is one page however long it is.
 * @throws DomainError not_found
 */
export async function listLedger(
  pool: Pool,
  { userId }: { userId: string },
): Promise<{ items: LedgerEntry[]; nextCursor: null }> {
  const { ledger } = await readLedger(pool, userId)
  return { items: ledger, nextCursor: null }
}

/**
 * A user's subscription with its whole ledger and, in reasons, why there is access or not.
 * @throws DomainError not_found
 */
export async function showLedger(
  pool: Pool,
  { userId, operatorId }: { userId: string; operatorId: string },
): Promise<SubscriptionDetail> {
  const [{ head, ledger }, barren, requests] = await Promise.all([
    readLedger(pool, userId),
    execute(pool, query('list-barren-orders', barrenOrdersOf(userId), barrenOrderColumns)),
    listGrantRequests(pool, { userId, operatorId }),
  ])
  const clocks = head.clocks.map(toClock)
  const requestedDays = requests.filter(({ state }) => state === 'requested').map(({ days }) => days)
  const why = explainAccess({ ...head, ledger, clocks, barren, requestedDays })
  return { ...head, ledger, clocks, requests, why }
}
