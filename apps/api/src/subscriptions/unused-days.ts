import { Prisma } from '@meridian/db'

/**
 * Days that refunds of an order have taken back so far, as an expression; `orderId` is one as well.
 */
export const takenDaysSql = (orderId: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  SELECT coalesce(-sum(g.days), 0)::int FROM grants g JOIN refunds r ON r.id = g.refund_id
  WHERE r.order_id = ${orderId} AND g.kind = 'refund_revocation')`

/**
 * Days of an order's grant that lie after now, as an expression; begun days count. Grants are consumed in the order
 * they were written, so what is left of this one is what is left of all, less what was written after it: what an import
 * gave and gave back is nothing together, and an order whose import was taken back has none. Exact only
 * under the subscription's row lock. `business_now()` is when the transaction began: where it waited for that lock, the last
 * entry may be later, and time that this entry has ended is not unused again.
 */
export const unusedDaysSql = (orderId: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce((
  SELECT greatest(0, least(
    own.days - ${takenDaysSql(orderId)},
    ceil(extract(epoch FROM s.expires_at - greatest(business_now(), last.effective_at)) / 86400)::int - (
      SELECT coalesce(sum(later.days), 0)::int FROM grants later WHERE later.user_id = own.user_id AND later.seq > own.seq
        AND (later.days > 0 OR later.kind = 'imported' OR later.refund_id IN (
          SELECT r.id FROM refunds r JOIN grants bought ON bought.order_id = r.order_id AND bought.kind = 'purchase'
          WHERE bought.user_id = own.user_id AND bought.seq > own.seq)))))
  FROM grants own JOIN subscriptions s ON s.user_id = own.user_id
    JOIN grants last ON last.user_id = s.user_id AND last.seq = s.seq
  WHERE own.order_id = ${orderId} AND own.kind = 'purchase'
    AND NOT EXISTS (SELECT 1 FROM orders undone WHERE undone.id = own.order_id AND undone.import_undone_at IS NOT NULL)), 0)`

type Share = { orderId: Prisma.Sql; durationDays: Prisma.Sql; refundedFen: Prisma.Sql; amountFen: Prisma.Sql }

/**
 * Days that a refund takes back once `refundedFen` of an order's `amountFen` are refunded, all as expressions: the
 * order's days in proportion, less what is taken already, and never more than lie ahead.
 */
export const dueDaysSql = ({
  orderId,
  durationDays,
  refundedFen,
  amountFen,
}: Share): Prisma.Sql => Prisma.sql`
  greatest(0, least(${unusedDaysSql(orderId)},
    floor(${durationDays}::bigint * ${refundedFen} / ${amountFen})::int - ${takenDaysSql(orderId)}))`

/** Takes the row lock of a user's subscription, so that what is computed from its ledger stays true. */
export const lockSubscriptionSql = (userId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT user_id FROM subscriptions WHERE user_id = ${userId} FOR UPDATE`

/**
 * The last purchase of a user whose days are left, as an expression: none whose days were used up or taken back by a
 * refund. `columns` are read from the grant `purchase`; `userId` and `expiresAt` are of the subscription.
 */
export const currentPurchaseSql = (
  columns: Prisma.Sql,
  { userId, expiresAt }: { userId: Prisma.Sql; expiresAt: Prisma.Sql },
): Prisma.Sql => Prisma.sql`(
  SELECT ${columns} FROM grants purchase
  WHERE purchase.user_id = ${userId} AND purchase.kind = 'purchase' AND purchase.expires_after > business_now()
    AND ${expiresAt} > business_now() AND ${unusedDaysSql(Prisma.sql`purchase.order_id`)} > 0
  ORDER BY purchase.seq DESC LIMIT 1)`
