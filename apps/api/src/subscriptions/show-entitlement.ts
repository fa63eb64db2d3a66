import { EntitlementReason } from '@meridian/contracts'
import { column, execute, json, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { opensSql, requireKeyInUse } from '../api-keys/find-api-key.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { featuresWithFreeSql } from './show-subscription.ts'

const { sql } = Prisma

/** Whom somebody asks about: by one of the three. */
export type Entitled = { userId: string } | { openid: string } | { serialNumber: string }

const columns = {
  userId: column.text,
  isActive: column.boolean,
  remainingDays: column.integer,
  expiresAt: nullable(column.instant),
  features: json(z.array(z.string())),
  reason: oneOf(EntitlementReason.options),
  serverTime: column.instant,
}
export type EntitlementView = RowOf<typeof columns>

/** Without what was taken back they would have days now, whatever was given or taken later. */
const isTakenBackSql = sql`EXISTS (
  SELECT FROM grants g WHERE g.user_id = s.user_id AND g.days < 0 AND g.expires_before > business_now())`

/** Each by an index that holds one row: of users, or of bindings that are not over. */
const entitledBy = {
  userId: (id: string) => sql`u.id = ${id}::uuid`,
  openid: (openid: string) => sql`u.openid = ${openid}`,
  serialNumber: (serialNumber: string) => sql`u.id = (
    SELECT b.user_id FROM bindings b WHERE b.serial_number = ${serialNumber} AND b.unbound_at IS NULL)`,
}

const conditionOf = (entitled: Entitled): readonly [keyof typeof entitledBy, Prisma.Sql] => {
  if ('userId' in entitled) return ['userId', entitledBy.userId(entitled.userId)]
  if ('openid' in entitled) return ['openid', entitledBy.openid(entitled.openid)]
  return ['serialNumber', entitledBy.serialNumber(entitled.serialNumber)]
}

const names = {
  userId: 'show-entitlement-of-user',
  openid: 'show-entitlement-of-openid',
  serialNumber: 'show-entitlement-of-device',
} as const

/**
 * What a user may use now, and why, from one instant of the database's clock and in one statement: a call centre, a shop
 * or the cloud of the devices asks it for each thing it does. Who is disabled may use nothing, whatever days are left.
 * @throws DomainError unauthenticated where the key opens nothing any more; user_not_found, also for a device that is
 * bound to nobody
 */
export async function showEntitlement(
  pool: Pool,
  { entitled, apiKeyId }: { entitled: Entitled; apiKeyId: string },
): Promise<EntitlementView> {
  const [by, condition] = conditionOf(entitled)
  const [row] = await execute(
    pool,
    query(
      names[by],
      sql`
      SELECT e."userId", NOT e."isDisabled" AND e."remainingDays" >= 1 AS "isActive", e."remainingDays", e."expiresAt",
        CASE WHEN e."isDisabled" THEN '[]'::json ELSE e.features END AS features,
        CASE WHEN e."isDisabled" THEN 'disabled' WHEN e."remainingDays" >= 1 THEN 'active_until'
          WHEN e."expiresAt" IS NULL THEN 'never_had_days' WHEN e."isTakenBack" THEN 'taken_back' ELSE 'ended' END AS reason,
        e."serverTime"
      FROM (
        SELECT u.id::text AS "userId", u.disabled_at IS NOT NULL AS "isDisabled",
          ${remainingDaysSql(sql`s.expires_at`)} AS "remainingDays", s.expires_at AS "expiresAt",
          ${featuresWithFreeSql} AS features,
          s.expires_at <= business_now() AND ${isTakenBackSql} AS "isTakenBack",
          date_trunc('milliseconds', business_now()) AS "serverTime"
        FROM users u JOIN subscriptions s ON s.user_id = u.id
        WHERE u.erased_at IS NULL AND ${condition} AND ${opensSql(apiKeyId)}) e`,
      columns,
    ),
  )
  if (row) return row
  await requireKeyInUse(pool, apiKeyId)
  throw new DomainError('user_not_found')
}
