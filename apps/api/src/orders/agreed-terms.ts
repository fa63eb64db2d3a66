import type { PaymentChannel } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { isAnonymisedSql } from './anonymise-payer.ts'

const { sql } = Prisma

/** By the number it was paid under a payment finds its order: in virtual payment that of an attempt. */
const ordersOfPayments: Readonly<Record<PaymentChannel, Prisma.Sql>> = {
  jsapi: sql`payments p JOIN orders o ON o.out_trade_no = p.paid_number`,
  virtual: sql`payments p JOIN order_attempts a ON a.number = p.paid_number JOIN orders o ON o.id = a.order_id`,
}

/** The rows of the part `payments` as `p`, beside their orders as `o`. */
export const ordersOfPaymentsSql = (channel: PaymentChannel): Prisma.Sql => ordersOfPayments[channel]

/** Whether the order `o` has the terms of the payment `p`, null where any will do; never an order whose payer is erased. */
export const isAgreedSql = (
  channel: PaymentChannel,
): Prisma.Sql => sql`o.channel = ${channel}::payment_channel
        AND o.amount_fen = p.amount_fen AND o.currency = p.currency AND o.app_id = p.app_id
        AND (p.mch_id IS NULL OR o.mch_id = p.mch_id)
        AND (p.product_id IS NULL OR o.virtual_product_id = p.product_id)
        AND (p.payer_openid IS NULL OR o.payer_openid = p.payer_openid) AND NOT ${isAnonymisedSql}`
