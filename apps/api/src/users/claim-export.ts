import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

/**
 * Takes this hour's export, so that many at once are one.
 * @throws DomainError rate_limited
 */
export async function claimExport(pool: Pool, userId: string): Promise<void> {
  const [claim] = await execute(
    pool,
    query(
      'claim-export',
      Prisma.sql`WITH claimed AS (
        UPDATE users SET exported_at = business_now()
        WHERE id = ${userId}::uuid AND (exported_at IS NULL OR exported_at <= business_now() - interval '1 hour')
        RETURNING id)
      SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM claimed)
        THEN greatest(1, ceil(3600 - extract(epoch FROM business_now() - coalesce(exported_at, business_now()))))::int END AS "waitSeconds"
      FROM users WHERE id = ${userId}::uuid`,
      { waitSeconds: nullable(column.number) },
    ),
  )
  if (!claim) throw new DomainError('unauthenticated')
  if (claim.waitSeconds !== null)
    throw new DomainError('rate_limited', { retryAfterSeconds: claim.waitSeconds })
}
