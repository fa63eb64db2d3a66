import { PaymentChannel } from '@meridian/contracts'
import { type Connection, execute, json, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import type { AccessLine, PaidOrder } from './user-months.ts'

const { sql } = Prisma

const Id = z.string().transform(BigInt)
const Instant = z.number().transform((ms) => new Date(ms))

const WrittenLine = z.object({
  line: Id,
  effectiveAt: Instant,
  days: z.int(),
  orderId: Id.nullable(),
  isGivenBack: z.boolean(),
  isPurchase: z.boolean(),
  expiresBefore: Instant.nullable(),
  expiresAfter: Instant,
})
const WrittenOrder = z.object({
  line: Id,
  orderId: Id,
  channel: PaymentChannel,
  amountFen: z.int(),
  paidAt: Instant,
  bookedAt: Instant,
  refunds: z.array(z.object({ line: Id, succeededAt: Instant, bookedAt: Instant, fen: z.int() })),
})

/** The last line (id) to read of `grants` and of `order_events`. */
export type Lines = { grants: bigint; events: bigint }

/** A user's ledger, payments and refunds, each with the line (id) that recorded it. */
const Account = z.object({ ledger: z.array(WrittenLine), orders: z.array(WrittenOrder) })
export type WrittenAccount = z.infer<typeof Account>

/** The account without what was recorded after these lines. */
export const accountUpTo = (
  { ledger, orders }: WrittenAccount,
  lines: Lines,
): { ledger: AccessLine[]; orders: PaidOrder[] } => ({
  ledger: ledger.filter(({ line }) => line <= lines.grants),
  orders: orders
    .filter(({ line }) => line <= lines.events)
    .map((order) => ({ ...order, refunds: order.refunds.filter(({ line }) => line <= lines.events) })),
})

const ms = (instant: Prisma.Sql): Prisma.Sql => sql`(extract(epoch FROM ${instant}) * 1000)::bigint`

const ledgerSql = sql`
  SELECT json_agg(json_build_object('line', g.id::text, 'effectiveAt', ${ms(sql`g.effective_at`)}, 'days', g.days,
    'orderId', coalesce(g.order_id, (SELECT order_id FROM refunds WHERE id = g.refund_id))::text, 'isPurchase', g.kind = 'purchase',
    'isGivenBack', g.kind = 'imported' AND g.days < 0,
    'expiresBefore', ${ms(sql`g.expires_before`)}, 'expiresAfter', ${ms(sql`g.expires_after`)}) ORDER BY g.seq)
  FROM grants g WHERE g.user_id = u.user_id`

const refundsSql = sql`
  SELECT json_agg(json_build_object('line', e.id::text, 'succeededAt', ${ms(sql`r.succeeded_at`)}, 'bookedAt', ${ms(sql`e.at`)},
    'fen', r.amount_fen))
  FROM refunds r JOIN order_events e ON e.order_id = r.order_id AND e.kind = 'refund' AND e.detail ->> 'out_refund_no' = r.out_refund_no
  WHERE r.order_id = o.id AND r.succeeded_at IS NOT NULL AND r.second_payment_id IS NULL`

const ordersSql = sql`
  SELECT json_agg(json_build_object('line', e.id::text, 'orderId', o.id::text, 'channel', o.channel, 'amountFen', o.amount_fen,
    'paidAt', ${ms(sql`o.paid_at`)}, 'bookedAt', ${ms(sql`e.at`)}, 'refunds', coalesce((${refundsSql}), '[]')) ORDER BY o.id)
  FROM orders o JOIN order_events e ON e.order_id = o.id AND e.kind = 'pay'
  WHERE o.user_id = u.user_id AND o.paid_at IS NOT NULL`

/** Reads the whole ledger, all payments and all refunds of these users. */
export async function readAccounts(db: Connection, userIds: readonly string[]): Promise<WrittenAccount[]> {
  const rows = await execute(
    db,
    query(
      'read-accounts',
      sql`
      SELECT coalesce((${ledgerSql}), '[]') AS ledger, coalesce((${ordersSql}), '[]') AS orders
      FROM unnest(${[...userIds]}::uuid[]) u (user_id)`,
      { ledger: json(z.unknown()), orders: json(z.unknown()) },
    ),
  )
  return rows.map((row) => Account.parse(row))
}
