import { type TwoWayPage, type WebhookEndpointListQuery, WebhookEndpointRow } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { z } from 'zod'
import { DomainError } from '../platform/errors/domain-error.ts'
import { instantColumn, uuidColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const newestFirst = { key: instantColumn(sql`created_at`), id: uuidColumn(sql`id`), descending: true }
const columns = columnsOf(WebhookEndpointRow)

const rowSql = sql`
  id::text, url, description, types, failing_since AS "failingSince", last_success_at AS "lastSuccessAt",
  created_at AS "createdAt", (SELECT email FROM operators o WHERE o.id = created_by) AS "createdBy",
  CASE WHEN previous_secret_until > business_now() THEN previous_secret_until END AS "previousSecretUntil",
  CASE WHEN disabled_by = 'operator' THEN 'off' WHEN disabled_by = 'gone' THEN 'gone'
    WHEN disabled_by = 'failures' THEN 'failed' WHEN failing_since IS NOT NULL THEN 'failing' ELSE 'active' END AS state,
  (SELECT count(*)::int FROM webhook_deliveries d WHERE d.endpoint_id = webhook_endpoints.id AND d.state = 'waiting')
    AS waiting`

/** One page of endpoints, the newest first. */
export const listEndpoints = (
  pool: Pool,
  asked: z.infer<typeof WebhookEndpointListQuery>,
): Promise<TwoWayPage<WebhookEndpointRow>> =>
  readPage(
    pool,
    { sort: newestFirst, asked, columns, isShort: true },
    ({ position, page }) => sql`
      SELECT ${rowSql}, ${position} FROM webhook_endpoints WHERE deleted_at IS NULL AND ${page}`,
  )

/** @throws DomainError not_found */
export async function getEndpoint(pool: Pool, { id }: { id: string }): Promise<WebhookEndpointRow> {
  const [found] = await execute(
    pool,
    query(
      'show-webhook',
      sql`SELECT ${rowSql} FROM webhook_endpoints WHERE id = ${id}::uuid AND deleted_at IS NULL`,
      columns,
    ),
  )
  if (!found) throw new DomainError('not_found')
  return found
}
