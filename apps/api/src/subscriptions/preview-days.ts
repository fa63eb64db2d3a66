import { DAYS_ALONE_PER_MONTH, type DaysChange, type DaysPreview } from '@meridian/contracts'
import { type Db, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { remainingDaysSql } from '../platform/time/remaining-days.ts'
import { endAfterSql, grantedFeaturesSql, grantInstantSql } from './write-grant.ts'

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
