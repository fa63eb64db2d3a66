import {
  type ApprovalObstacle,
  DAYS_ALONE_PER_MONTH,
  type DaysChange,
  type DaysOrder,
  type DaysPreview,
  type GrantDecision,
} from '@meridian/contracts'
import { type Database, type Db, Prisma, reading, statement } from '@meridian/db'
import { approvalObstacleSql, refuseObstacle, requireAsker } from '../approvals/eligibility.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { remainingDaysSql, transactionTime } from '../platform/time/business-time.ts'
import { lockSubscriptionSql } from './unused-days.ts'
import {
  endAfterSql,
  givenDaysGrantOf,
  grantedFeaturesSql,
  grantInstantSql,
  writeGrantParts,
} from './write-grant.ts'

const { sql } = Prisma

type Read = Omit<DaysPreview, 'needsSecondPerson' | 'features'> & {
  features: { feature: string; expiresAfter: string }[]
}

const monthInChina = sql`(date_trunc('month', business_now() AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai')`

const previewOf = ({ userId, days }: DaysChange): Prisma.Sql => {
  const change = sql`${days}::int`
  const clock = endAfterSql(sql`(s.feature_expires_at ->> feature)::timestamptz`, change, grantInstantSql)
  return sql`
    SELECT s.seq AS entries, s.expires_at AS "expiresBefore", e.after AS "expiresAfter",
      ${remainingDaysSql(sql`s.expires_at`)} AS "remainingBefore", ${remainingDaysSql(sql`e.after`)} AS "remainingAfter",
      (SELECT coalesce(json_agg(json_build_object('feature', feature, 'expiresAfter', ${clock}) ORDER BY feature), '[]')
        FROM unnest(${grantedFeaturesSql}) feature) AS features,
      (SELECT coalesce(sum(abs(g.days)), 0)::int FROM grants g WHERE g.user_id = s.user_id AND g.kind = 'admin_grant'
        AND sign(g.days) = sign(${change}) AND g.created_at >= ${monthInChina}) AS "usedThisMonth",
      EXISTS (SELECT 1 FROM grant_requests r WHERE r.user_id = s.user_id AND r.state = 'requested') AS "hasOpenRequest"
    FROM subscriptions s, LATERAL (SELECT ${endAfterSql(sql`s.expires_at`, change, grantInstantSql)} AS after) e
    WHERE s.user_id = ${userId}::uuid`
}

/**
 * What giving or taking days would do, by the rule that does it, and whether one person may do it alone.
 * @throws DomainError not_found
 */
export async function previewDays(db: Db, change: DaysChange): Promise<DaysPreview> {
  const [read] = await db.$queryRaw<Read[]>(previewOf(change))
  if (!read) throw new DomainError('not_found')
  return {
    ...read,
    features: read.features.map(({ feature, expiresAfter }) => ({
      feature,
      expiresAfter: new Date(expiresAfter),
    })),
    needsSecondPerson: read.usedThisMonth + Math.abs(change.days) > DAYS_ALONE_PER_MONTH,
  }
}

type Given = { userId: string; operatorId: string; reason: string; days: number }

export const grantDaysStatement = ({ userId, operatorId, reason, days }: Given) => {
  const given = sql`(SELECT ${userId}::uuid AS user_id, ${operatorId}::uuid AS operator_id, NULL::text AS serial_number,
    ${reason}::text AS reason, ${days}::int AS days) given`
  return statement({
    name: 'grant-days',
    parts: writeGrantParts(givenDaysGrantOf('admin_grant', given)),
    select: reading(['granted'], sql`SELECT seq FROM granted`),
  })
}

const giveDays = (db: Db, given: Given) => db.$queryRaw(grantDaysStatement(given).sql)

const lock = (db: Db, userId: string) => db.$queryRaw(lockSubscriptionSql(sql`${userId}::uuid`))
const endsOf = ({ expiresBefore, expiresAfter }: { expiresBefore: Date | null; expiresAfter: Date }) => ({
  before: { expiresAt: expiresBefore?.toISOString() ?? null },
  after: { expiresAt: expiresAfter.toISOString() },
})

/**
 * Gives or takes days by hand, at once or, beyond what one person may do in a month, by asking for a second one.
 * @throws DomainError not_found; changed_meanwhile when the ledger is not the one that was looked at, or a request
 * of this user waits already; account_too_new where the account may not ask for a second person yet
 */
export async function changeDays(
  database: Database,
  { userId, days, reason, entries }: DaysOrder,
  { operatorId, from }: Actor,
): Promise<'granted' | 'requested'> {
  const subject = { type: 'subscription', id: userId }
  return database.$transaction(async (db) => {
    await lock(db, userId)
    const preview = await previewDays(db, { userId, days })
    if (preview.entries !== entries || preview.hasOpenRequest) throw new DomainError('changed_meanwhile')
    if (preview.needsSecondPerson) {
      await requireAsker(db, operatorId)
      await db.grantRequest.create({ data: { userId, days, reason, requestedBy: operatorId } })
      const entry = { operatorId, action: 'subscription.request_grant', subject, after: { days, reason } }
      await writeAudit(db, entry, from)
      return 'requested'
    }
    await giveDays(db, { userId, operatorId, reason, days })
    const { before, after } = endsOf(preview)
    const entry = { operatorId, action: 'subscription.grant', subject, before }
    await writeAudit(db, { ...entry, after: { ...after, days, reason } }, from)
    return 'granted'
  })
}

type Waiting = {
  userId: string
  days: number
  reason: string
  requestedBy: string
  state: string
  obstacle: ApprovalObstacle | null
}

/**
 * A second person approves or rejects days that were asked for, whoever asked takes them back; approved ones are given
 * in the name of who asked.
 * @throws DomainError not_found; changed_meanwhile when it is decided; account_too_new, second_person_required
 */
export async function decideGrantRequest(
  database: Database,
  { id, verdict }: GrantDecision,
  { operatorId, from }: Actor,
): Promise<{ userId: string }> {
  return database.$transaction(async (db) => {
    const [request] = await db.$queryRaw<Waiting[]>(sql`
      SELECT g.user_id AS "userId", g.days, g.reason, g.requested_by AS "requestedBy", g.state::text,
        ${approvalObstacleSql({ approver: sql`${operatorId}::uuid`, requester: sql`g.requested_by`, askedAt: sql`g.created_at` })} AS obstacle
      FROM grant_requests g WHERE g.id = ${id}::bigint FOR UPDATE OF g`)
    if (!request) throw new DomainError('not_found')
    if (request.state !== 'requested') throw new DomainError('changed_meanwhile')
    const { userId, days, reason, requestedBy } = request
    if (verdict === 'approve') refuseObstacle(request.obstacle)
    await lock(db, userId)
    const { before, after } = endsOf(await previewDays(db, { userId, days }))
    if (verdict === 'approve') await giveDays(db, { userId, operatorId: requestedBy, reason, days })
    await db.grantRequest.update({
      where: { id: BigInt(id) },
      data: {
        state: verdict === 'approve' ? 'approved' : 'rejected',
        decidedBy: operatorId,
        decidedAt: await transactionTime(db),
      },
    })
    // Nobody approves what they asked for themselves.
    const action = requestedBy === operatorId ? 'grant.withdraw' : `grant.${verdict}`
    const entry = { operatorId, action, subject: { type: 'subscription', id: userId } }
    const effect = verdict === 'approve' ? { before, after: { ...after, days, reason, requestedBy } } : {}
    await writeAudit(db, { ...entry, after: { days, reason, requestedBy }, ...effect }, from)
    return { userId }
  })
}
