import { UserCard, type UserCardOf, UserOrder } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { userRowColumnsSql } from '../users/list-users.ts'

const { sql } = Prisma

const userColumns = columnsOf(UserCard.shape.user)
const orderColumns = columnsOf(UserOrder)

type Asked = { names: NameView; userId?: string | null; outTradeNo?: string | null }

const readUser = (pool: Pool, { userId = null, outTradeNo = null, names }: Asked) =>
  execute(
    pool,
    query(
      'show-user-card',
      sql`SELECT ${userRowColumnsSql(names)}, s.expires_at AS "expiresAt"
      FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id
      WHERE u.id = coalesce(${userId}::uuid, (SELECT user_id FROM orders WHERE out_trade_no = ${outTradeNo}::text))`,
      userColumns,
    ),
  )

const readOrder = (pool: Pool, outTradeNo: string) =>
  execute(
    pool,
    query(
      'show-order-of-card',
      sql`SELECT out_trade_no AS "outTradeNo", status, plan_name AS "planName", amount_fen AS "amountFen",
        refunded_fen AS "refundedFen", created_at AS "createdAt"
      FROM orders WHERE out_trade_no = ${outTradeNo}`,
      orderColumns,
    ),
  )

/**
 * Who a thing belongs to, and the order it is about.
 * @throws DomainError not_found
 */
export async function showCard(pool: Pool, of: UserCardOf, names: NameView): Promise<UserCard> {
  const asked: Asked = { ...of, names }
  const [[user], [order]] = await Promise.all([
    readUser(pool, asked),
    asked.outTradeNo ? readOrder(pool, asked.outTradeNo) : [],
  ])
  if (!user) throw new DomainError('not_found')
  return { user, order: order ?? null }
}
