import { Prisma } from '@meridian/db'
import { settingSql } from '../settings/read-settings.ts'

export type Feature = 'report_detail' | 'manual_treatment'

/** An SQL expression: whether this user may use the feature now, by the database's clock. */
export const mayUseSql = (userId: string, feature: Feature): Prisma.Sql => Prisma.sql`(
  ${settingSql('free_features')} @> to_jsonb(${feature}::text) OR EXISTS (
    SELECT 1 FROM subscriptions
    WHERE user_id = ${userId}::uuid AND (feature_expires_at ->> ${feature})::timestamptz > business_now()))`
