import { z } from 'zod'

/** 0 live, 1 sandbox: what calls and pushes carry (virtual payment §3.1). */
export type VirtualEnv = 0 | 1

/**
 * How an order is doing (virtual payment §3.3). `unpaid` says nothing of later. `refunding` and `refunded` are of the
 * payment order and show partial refunds too, some of which fall back to paid: how a refund is doing is asked by its own
 * number. `unknown` is a status that no page names.
 */
export type VirtualOrderState =
  | 'unpaid'
  | 'closed'
  | 'paid'
  | 'delivered'
  | 'refunding'
  | 'refunded'
  | 'unknown'

const states: Readonly<Record<number, VirtualOrderState>> = {
  0: 'unpaid',
  1: 'unpaid',
  2: 'paid',
  3: 'paid',
  4: 'delivered',
  5: 'refunding',
  6: 'closed',
  // A refund has failed: the payment stands.
  7: 'paid',
  8: 'refunded',
  9: 'refunding',
  10: 'refunding',
}

/** What the platform says about an order or a refund of this channel. Amounts in fen; times to the second. */
export type VirtualOrder = {
  /** Our number: of the attempt, or of the refund. */
  number: string
  state: VirtualOrderState
  /** The platform's own number for the state (virtual payment §3.3). */
  status: number
  /** Paid through Apple: we cannot refund it (virtual payment §1.3). */
  byApple: boolean
  env: VirtualEnv
  wxOrderId: string | null
  /** The "merchant number" on the payer's receipt. */
  channelOrderId: string | null
  /** WeChat Pay's number; null for Apple. */
  transactionId: string | null
  amountFen: number
  paidFen: number | null
  /** What can still be refunded, as the next refund must name it. */
  leftFen: number | null
  refundFen: number | null
  createdAt: Date
  /** Of a refund: when it was refunded. */
  paidAt: Date | null
  settlement: Settlement
}

/** Which sums reached us, and what the platform kept of them: fees change and are never computed (virtual payment §1.3, §9). */
export type Settlement = { state: 'open' | 'running' | 'done'; at: Date | null; feeFen: number | null }

const fen = z.number().int().nonnegative()
const optionalFen = fen.nullish().transform((amount) => amount ?? null)
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text || null)
/** Seconds; absent and 0 are no time. */
const optionalTime = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((seconds) => (seconds ? new Date(seconds * 1000) : null))

const appleTypes: ReadonlySet<number | undefined> = new Set([7, 8])

const Order = z
  .object({
    order_id: z.string().min(1),
    status: z.number().int(),
    order_type: z.number().int().optional(),
    env_type: z.union([z.literal(1), z.literal(2)]),
    wx_order_id: optionalText,
    channel_order_id: optionalText,
    wxpay_order_id: optionalText,
    order_fee: fen,
    paid_fee: optionalFen,
    left_fee: optionalFen,
    refund_fee: optionalFen,
    create_time: z.number().int().positive(),
    paid_time: optionalTime,
    sett_state: z.number().int().optional(),
    sett_time: optionalTime,
    platform_fee_fen: optionalFen,
  })
  .transform(
    (order): VirtualOrder => ({
      number: order.order_id,
      state: states[order.status] ?? 'unknown',
      status: order.status,
      byApple: appleTypes.has(order.order_type),
      env: order.env_type === 1 ? 0 : 1,
      wxOrderId: order.wx_order_id,
      channelOrderId: order.channel_order_id,
      transactionId: order.wxpay_order_id,
      amountFen: order.order_fee,
      paidFen: order.paid_fee,
      leftFen: order.left_fee,
      refundFen: order.refund_fee,
      createdAt: new Date(order.create_time * 1000),
      paidAt: order.paid_time,
      settlement: {
        state: order.sett_state === 2 ? 'done' : order.sett_state === 1 ? 'running' : 'open',
        at: order.sett_time,
        feeFen: order.sett_state === 2 ? order.platform_fee_fen : null,
      },
    }),
  )

const Answer = z.object({ order: Order })

/** The order of an answer, which must be about this number; undefined where it is not (virtual payment §3.2). */
export const readVirtualOrder = (number: string) => (answer: unknown) => {
  const order = Answer.safeParse(answer).data?.order
  return order?.number === number ? order : undefined
}
