import { type ApiKeyListQuery, ApiKeyRow, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { instantColumn, uuidColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { isKeyInUseSql } from './manage-api-keys.ts'

const { sql } = Prisma

const newestFirst = { key: instantColumn(sql`created_at`), id: uuidColumn(sql`id`), descending: true }

/** One page of keys, the newest first: those that open something, or those that are over. */
export const listApiKeys = (
  pool: Pool,
  { isActive, ...asked }: ApiKeyListQuery,
): Promise<TwoWayPage<ApiKeyRow>> =>
  readPage(
    pool,
    { sort: newestFirst, asked, columns: columnsOf(ApiKeyRow), isShort: true },
    ({ position, page }) => sql`
      SELECT id::text, name, hint, scopes, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
        revoked_at AS "revokedAt", (SELECT email FROM operators o WHERE o.id = created_by) AS "createdBy",
        CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ${isKeyInUseSql} THEN 'active' ELSE 'expired' END AS state,
        ${position}
      FROM api_keys WHERE (${isKeyInUseSql}) = ${isActive} AND ${page}`,
  )
