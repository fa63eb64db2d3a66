import { UserDetail, UserDevice, UserOrder, UserSession } from '@meridian/contracts'
import { execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { usableFeaturesSql } from '../subscriptions/list-subscriptions.ts'
import { userRowColumnsSql } from '../users/list-users.ts'

const { sql } = Prisma

const userSessionColumns = columnsOf(UserSession)

const userDeviceColumns = columnsOf(UserDevice)

const userOrderColumns = columnsOf(UserOrder)

const headColumns = {
  ...columnsOf(UserDetail.omit({ subscription: true, orders: true, bindings: true, sessions: true })),
  ...columnsOf(UserDetail.shape.subscription),
}
type Head = RowOf<typeof headColumns>

async function readHead(pool: Pool, id: string, names: NameView): Promise<Head> {
  const [head] = await execute(
    pool,
    query(
      'show-user',
      sql`SELECT ${userRowColumnsSql(names)}, u.disabled_at AS "disabledAt", u.erased_at AS "erasedAt",
        CASE WHEN u.erased_at IS NULL THEN left(u.openid, 4) || '••••' || right(u.openid, 4) ELSE 'erased' END AS openid,
        CASE WHEN u.disabled_at IS NOT NULL THEN (
          SELECT after ->> 'reason' FROM audit_entries
          WHERE subject_type = 'user' AND subject_id = u.id::text AND action = 'user.disable'
          ORDER BY id DESC LIMIT 1) END AS "disabledReason",
        s.expires_at AS "expiresAt", ${usableFeaturesSql} AS features,
        (SELECT count(*)::int FROM orders o WHERE o.user_id = u.id) AS "orderCount",
        (SELECT count(*)::int FROM reports r WHERE r.user_id = u.id) AS "reportCount"
      FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id WHERE u.id = ${id}::uuid`,
      headColumns,
    ),
  )
  if (!head) throw new DomainError('not_found')
  return head
}

const readOrders = (pool: Pool, id: string) =>
  execute(
    pool,
    query(
      'show-orders-of-user',
      sql`SELECT out_trade_no AS "outTradeNo", status, plan_name AS "planName", amount_fen AS "amountFen",
        refunded_fen AS "refundedFen", created_at AS "createdAt"
      FROM orders WHERE user_id = ${id}::uuid ORDER BY created_at DESC, id DESC LIMIT 20`,
      userOrderColumns,
    ),
  )

const readBindings = (pool: Pool, id: string) =>
  execute(
    pool,
    query(
      'show-bindings-of-user',
      sql`SELECT b.serial_number AS "serialNumber", d.model, b.proven, b.bound_at AS "boundAt", b.unbound_at AS "unboundAt",
        b.end_reason AS "endReason"
      FROM bindings b JOIN devices d USING (serial_number) WHERE b.user_id = ${id}::uuid
      ORDER BY b.unbound_at IS NOT NULL, b.bound_at DESC LIMIT 50`,
      userDeviceColumns,
    ),
  )

const readSessions = (pool: Pool, id: string) =>
  execute(
    pool,
    query(
      'show-sessions-of-user',
      sql`SELECT f.id, f.created_at AS "createdAt", f.expires_at AS "expiresAt", f.revoked_at AS "revokedAt",
        coalesce((SELECT max(greatest(t.issued_at, t.used_at)) FROM refresh_tokens t WHERE t.family_id = f.id), f.created_at)
          AS "lastUsedAt"
      FROM token_families f WHERE f.user_id = ${id}::uuid
      ORDER BY f.revoked_at IS NOT NULL, f.created_at DESC LIMIT 20`,
      userSessionColumns,
    ),
  )

/**
 * Everything the console shows of a user; identifiers are masked, the nickname too unless names are revealed.
 * @throws DomainError not_found
 */
export async function showUser(pool: Pool, id: string, names: NameView = 'masked'): Promise<UserDetail> {
  const [head, orders, bindings, sessions] = await Promise.all([
    readHead(pool, id, names),
    readOrders(pool, id),
    readBindings(pool, id),
    readSessions(pool, id),
  ])
  const { expiresAt, features, ...user } = head
  return { ...user, subscription: { expiresAt, features }, orders, bindings, sessions }
}
