import { Subscription } from '@meridian/contracts'
import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { settingSql } from '../settings/read-settings.ts'
import { currentPurchaseSql } from './unused-days.ts'

type Feature = 'report_detail' | 'manual_treatment'

/** An SQL expression: whether this user may use the feature now, by the database's clock. */
export const mayUseSql = (userId: string, feature: Feature): Prisma.Sql => Prisma.sql`(
  ${settingSql('free_features')} @> to_jsonb(${feature}::text) OR EXISTS (
    SELECT 1 FROM subscriptions
    WHERE user_id = ${userId}::uuid AND (feature_expires_at ->> ${feature})::timestamptz > business_now()))`

const columns = {
  remainingDays: column.integer,
  expiresAt: nullable(column.instant),
  plan: nullable(json(Subscription.shape.plan)),
  features: json(Subscription.shape.features),
}

/** What may be used now of the subscription `s`, free features among it, as a JSON array. */
export const featuresWithFreeSql = Prisma.sql`(
  SELECT coalesce(json_agg(feature ORDER BY feature), '[]') FROM (
    SELECT key AS feature FROM jsonb_each_text(s.feature_expires_at) WHERE value::timestamptz > business_now()
    UNION SELECT jsonb_array_elements_text(${settingSql('free_features')})) usable)`

const planJson = Prisma.sql`json_build_object('code', purchase.plan_code, 'name', purchase.plan_name)`

/** What a user may use now, computed from one instant of the database's clock. */
export async function showSubscription(pool: Pool, userId: string): Promise<Subscription> {
  const [row] = await execute(
    pool,
    query(
      'show-subscription',
      Prisma.sql`
      SELECT ${remainingDaysSql(Prisma.sql`s.expires_at`)} AS "remainingDays", s.expires_at AS "expiresAt",
        ${currentPurchaseSql(planJson, { userId: Prisma.sql`s.user_id`, expiresAt: Prisma.sql`s.expires_at` })} AS plan,
        ${featuresWithFreeSql} AS features
      FROM subscriptions s WHERE s.user_id = ${userId}::uuid`,
      columns,
    ),
  )
  const isActive = (row?.remainingDays ?? 0) >= 1
  return {
    status: isActive ? 'active' : 'inactive',
    is_active: isActive,
    remaining_days: row?.remainingDays ?? 0,
    expires_at: row?.expiresAt?.toISOString() ?? null,
    plan: row?.plan ?? null,
    features: row?.features ?? [],
  }
}
