import type { Pool } from '@meridian/db'
import { z } from 'zod'
import { type Account, endOf, plans } from './account.ts'

const Instant = z.coerce.date().transform((date) => date.getTime())

const Observed = z.object({
  orders: z.array(
    z.object({
      no: z.string(),
      plan: z.enum(['monthly', 'quarterly', 'yearly']),
      key: z.string().nullable(),
      status: z.enum(['created', 'prepay', 'paid', 'closed', 'refunded']),
      amountFen: z.int(),
      refundedFen: z.int(),
      transactionId: z.string().nullable(),
      late: z.boolean(),
      parkedFor: z.string().nullable(),
      createdAt: Instant,
      expiresAt: Instant,
      paidAt: Instant.nullable(),
    }),
  ),
  refunds: z.array(
    z.object({
      no: z.string(),
      orderNo: z.string(),
      amountFen: z.int(),
      keepDays: z.boolean(),
      status: z.enum(['requested', 'approved', 'processing', 'succeeded', 'closed', 'abnormal', 'rejected']),
      requestedBy: z.string().nullable(),
      /** Whether it gives a payment back that came too late. */
      givesBack: z.boolean(),
      /** The place of its success on the timeline, by which refunds of one order are told apart. */
      succeeded: z.int().nullable(),
    }),
  ),
  ledger: z.array(z.object({ cause: z.string(), days: z.int(), at: Instant, endsAt: Instant })),
  endsAt: Instant.nullable(),
})
export type Observed = z.infer<typeof Observed>

/** What the database holds of one user, read in one snapshot. */
export async function observe(pool: Pool, userId: string): Promise<Observed> {
  const { rows } = await pool.query<{ observed: unknown }>({
    name: 'observe',
    text: `SELECT json_build_object(
      'orders', (SELECT coalesce(json_agg(json_build_object('no', out_trade_no, 'plan', plan_code, 'key', idempotency_key,
          'status', status, 'amountFen', amount_fen, 'refundedFen', refunded_fen, 'transactionId', transaction_id,
          'late', late, 'parkedFor', park_reason, 'createdAt', created_at, 'expiresAt', expires_at, 'paidAt', paid_at)
          ORDER BY id), '[]') FROM orders WHERE user_id = $1),
      'refunds', (SELECT coalesce(json_agg(json_build_object('no', r.out_refund_no, 'orderNo', o.out_trade_no,
          'amountFen', r.amount_fen, 'keepDays', r.keep_days, 'status', r.status, 'requestedBy', r.requested_by,
          'givesBack', r.reason_code = 'late_payment',
          'succeeded', (SELECT e.id FROM order_events e WHERE e.order_id = o.id AND e.kind = 'refund'
            AND e.detail ->> 'out_refund_no' = r.out_refund_no)) ORDER BY r.id), '[]')
        FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.user_id = $1),
      'ledger', (SELECT coalesce(json_agg(json_build_object('cause', coalesce(o.out_trade_no, r.out_refund_no),
          'days', g.days, 'at', g.effective_at, 'endsAt', g.expires_after) ORDER BY g.seq), '[]')
        FROM grants g LEFT JOIN orders o ON o.id = g.order_id LEFT JOIN refunds r ON r.id = g.refund_id
        WHERE g.user_id = $1),
      'endsAt', (SELECT expires_at FROM subscriptions WHERE user_id = $1)) AS observed`,
    values: [userId],
  })
  return Observed.parse(rows[0]?.observed)
}

const byNumber = (one: { no: string }, other: { no: string }) => (one.no < other.no ? -1 : 1)

/** The part of an observation that the model foretells, in its words. */
export const seen = ({ orders, refunds, ledger, endsAt }: Observed) => ({
  orders: orders
    .map(({ createdAt: _created, expiresAt: _expires, paidAt: _paid, key: _key, ...order }) => order)
    .sort(byNumber),
  refunds: refunds
    .map(({ succeeded: _succeeded, givesBack: _givesBack, ...refund }) => refund)
    .sort(byNumber),
  ledger,
  endsAt,
})

/** The same of the model. */
export const foretold = (account: Account): ReturnType<typeof seen> => ({
  orders: account.orders
    .map(({ createdAt: _created, expiresAt: _expires, paidAt: _paid, key: _key, ...order }) => ({
      ...order,
      amountFen: plans[order.plan].amountFen,
    }))
    .sort(byNumber),
  refunds: [...account.refunds].sort(byNumber),
  ledger: [...account.ledger],
  endsAt: endOf(account),
})
