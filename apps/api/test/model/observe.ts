import type { Pool } from '@meridian/db'
import { z } from 'zod'
import { type Account, endOf, type Order, orderNamed, plans } from './account.ts'

const Instant = z.coerce.date().transform((date) => date.getTime())

const Attempt = z.object({
  number: z.string(),
  state: z.enum(['open', 'paid', 'second', 'closed']),
  signedAt: Instant,
  /** Whether the answer of then may be given again. */
  isKept: z.boolean(),
})
export type Attempt = z.infer<typeof Attempt>

const Observed = z.object({
  orders: z.array(
    z.object({
      no: z.string(),
      plan: z.enum(['monthly', 'quarterly', 'yearly']),
      channel: z.enum(['jsapi', 'virtual']),
      key: z.string().nullable(),
      status: z.enum(['created', 'prepay', 'paid', 'closed', 'refunded']),
      amountFen: z.int(),
      refundedFen: z.int(),
      paymentNo: z.string().nullable(),
      transactionId: z.string().nullable(),
      byApple: z.boolean(),
      late: z.boolean(),
      parkedFor: z.string().nullable(),
      createdAt: Instant,
      expiresAt: Instant,
      paidAt: Instant.nullable(),
      /** Oldest first. */
      attempts: z.array(Attempt),
    }),
  ),
  seconds: z.array(z.object({ paymentNo: z.string(), orderNo: z.string(), amountFen: z.int() })),
  refunds: z.array(
    z.object({
      no: z.string(),
      orderNo: z.string(),
      second: z.string().nullable(),
      amountFen: z.int(),
      keepDays: z.boolean(),
      status: z.enum(['requested', 'approved', 'processing', 'succeeded', 'closed', 'abnormal', 'rejected']),
      requestedBy: z.string().nullable(),
      told: z.string().nullable(),
      /** Whether it gives a payment back that came too late. */
      givesBack: z.boolean(),
      /** The place of its success on the timeline, by which refunds of one order are told apart. */
      succeeded: z.int().nullable(),
    }),
  ),
  told: z.array(z.object({ id: z.string(), paymentNo: z.string(), isApplied: z.boolean() })),
  ledger: z.array(z.object({ cause: z.string(), days: z.int(), at: Instant, endsAt: Instant })),
  endsAt: Instant.nullable(),
})
export type Observed = z.infer<typeof Observed>
export const nothingYet: Observed = {
  orders: [],
  seconds: [],
  refunds: [],
  told: [],
  ledger: [],
  endsAt: null,
}

/** What the database holds of one user, read in one snapshot. */
export async function observe(pool: Pool, userId: string): Promise<Observed> {
  const { rows } = await pool.query<{ observed: unknown }>({
    name: 'observe',
    text: `SELECT json_build_object(
      'orders', (SELECT coalesce(json_agg(json_build_object('no', out_trade_no, 'plan', plan_code, 'channel', channel,
          'key', idempotency_key, 'status', status, 'amountFen', amount_fen, 'refundedFen', refunded_fen,
          'paymentNo', coalesce(paid_attempt_no, transaction_id), 'transactionId', transaction_id,
          'byApple', coalesce(trade_type = 'APPLE', false), 'late', late, 'parkedFor', park_reason,
          'createdAt', created_at, 'expiresAt', expires_at, 'paidAt', paid_at,
          'attempts', (SELECT coalesce(json_agg(json_build_object('number', a.number, 'state', a.state,
              'signedAt', a.signed_at, 'isKept', a.params IS NOT NULL) ORDER BY a.signed_at, a.number), '[]')
            FROM order_attempts a WHERE a.order_id = orders.id))
          ORDER BY id), '[]') FROM orders WHERE user_id = $1),
      'seconds', (SELECT coalesce(json_agg(json_build_object('paymentNo', p.transaction_id, 'orderNo', o.out_trade_no,
          'amountFen', p.amount_fen) ORDER BY p.transaction_id), '[]')
        FROM second_payments p JOIN orders o ON o.id = p.order_id WHERE o.user_id = $1),
      'refunds', (SELECT coalesce(json_agg(json_build_object('no', r.out_refund_no, 'orderNo', o.out_trade_no,
          'second', (SELECT p.transaction_id FROM second_payments p WHERE p.id = r.second_payment_id),
          'amountFen', r.amount_fen, 'keepDays', r.keep_days, 'status', r.status, 'requestedBy', r.requested_by,
          'told', CASE WHEN r.reason_code = 'external' THEN r.platform_refund_id END,
          'givesBack', r.reason_code = 'late_payment',
          'succeeded', (SELECT e.id FROM order_events e WHERE e.order_id = o.id AND e.kind = 'refund'
            AND e.detail ->> 'out_refund_no' = r.out_refund_no)) ORDER BY r.id), '[]')
        FROM refunds r JOIN orders o ON o.id = r.order_id WHERE o.user_id = $1),
      'told', (SELECT coalesce(json_agg(json_build_object('id', e.refund_id, 'paymentNo', e.attempt_no,
          'isApplied', e.applied_refund_no IS NOT NULL) ORDER BY e.refund_id), '[]')
        FROM external_refunds e JOIN orders o ON o.out_trade_no = e.out_trade_no WHERE o.user_id = $1),
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
const byPayment = (one: { paymentNo: string }, other: { paymentNo: string }) =>
  one.paymentNo < other.paymentNo ? -1 : 1
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

const isKnownPaid = ({ state }: Attempt) => state === 'paid' || state === 'second'

/** The part of an observation that the model foretells, in its words. */
export const seen = ({ orders, seconds, refunds, told, ledger, endsAt }: Observed) => ({
  orders: orders
    .map(({ createdAt: _c, expiresAt: _e, key: _k, transactionId: _t, attempts, ...order }) => ({
      ...order,
      paidNumbers: attempts
        .filter(isKnownPaid)
        .map(({ number }) => number)
        .sort(),
    }))
    .sort(byNumber),
  seconds: [...seconds].sort(byPayment),
  refunds: refunds
    .map(({ succeeded: _succeeded, givesBack: _givesBack, ...refund }) => refund)
    .sort(byNumber),
  told: [...told].sort(byId),
  ledger,
  endsAt,
})

/** The numbers of an order that were paid: its own payment, and those beside it. */
const paidNumbersOf = (
  { seconds }: Account,
  { no, channel, paymentNo }: Pick<Order, 'no' | 'channel' | 'paymentNo'>,
) =>
  channel === 'jsapi'
    ? []
    : [
        ...(paymentNo === null ? [] : [paymentNo]),
        ...seconds.filter(({ orderNo }) => orderNo === no).map((second) => second.paymentNo),
      ].sort()

/** The same of the model. */
export const foretold = (account: Account): ReturnType<typeof seen> => ({
  orders: account.orders
    .map(({ createdAt: _created, expiresAt: _expires, key: _key, ...order }) => ({
      ...order,
      amountFen: plans[order.plan].amountFen,
      paidNumbers: paidNumbersOf(account, order),
    }))
    .sort(byNumber),
  seconds: account.seconds
    .map(({ paymentNo, orderNo }) => ({
      paymentNo,
      orderNo,
      amountFen: plans[orderNamed(account, orderNo).plan].amountFen,
    }))
    .sort(byPayment),
  refunds: [...account.refunds].sort(byNumber),
  told: account.told
    .map(({ id, paymentNo }) => ({
      id,
      paymentNo,
      isApplied: account.refunds.some((refund) => refund.told === id),
    }))
    .sort(byId),
  ledger: [...account.ledger],
  endsAt: endOf(account),
})
