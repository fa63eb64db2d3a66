import type { PaymentChannel } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import { countRepeatsParts } from '../notifications/record-in-groups.ts'
import { isDoneSql } from '../notifications/record-notification.ts'
import { isAgreedSql, ordersOfPaymentsSql } from '../orders/agreed-terms.ts'
import { paymentNoSql } from '../orders/move-order.ts'
import { type AgreedPayment, repeatsPart } from './agreed-payments.ts'

const { sql } = Prisma

/**
 * Counts notifications of payments that are paid and kept already, many with one commit. It answers the orders of those
 * that it counted. Whatever is no such repeat is left as it is: an order that this payment did not pay, other terms, an
 * erased payer, a notification that is new or not done, or that somebody else holds. They take the road of a payment
 * alone.
 */
export const repeatAgreedStatement = (channel: PaymentChannel, agreed: readonly AgreedPayment[]) =>
  statement({
    name: channel === 'virtual' ? 'repeat-agreed-virtual' : 'repeat-agreed',
    parts: [
      repeatsPart(agreed),
      part(
        'repeated',
        ['payments'],
        sql`
        SELECT n.id AS notification_id, p.paid_number, o.out_trade_no
        FROM ${ordersOfPaymentsSql(channel)} JOIN notifications n ON n.id = p.notification_id
        WHERE ${paymentNoSql('o')} = p.payment_no AND ${isAgreedSql(channel)} AND ${isDoneSql('n')}
        ORDER BY n.id FOR NO KEY UPDATE OF n SKIP LOCKED`,
      ),
      ...countRepeatsParts('repeated'),
    ],
    select: reading(
      ['repeated', 'inbox'],
      sql`SELECT paid_number AS number, out_trade_no AS "outTradeNo" FROM repeated JOIN inbox ON inbox.id = repeated.notification_id`,
    ),
    rows: { number: column.text, outTradeNo: column.text },
  })

/**
 * Counts repeated notifications of one channel, each of another payment, with one commit. Answers the number of the order
 * by the number that was paid, for those that it counted.
 * @throws whatever the database says; nothing is changed then
 */
export async function repeatAgreed(
  pool: Pool,
  channel: PaymentChannel,
  agreed: readonly AgreedPayment[],
): Promise<ReadonlyMap<string, string>> {
  const counted = await execute(pool, repeatAgreedStatement(channel, agreed))
  return new Map(counted.map(({ number, outTradeNo }) => [number, outTradeNo]))
}
