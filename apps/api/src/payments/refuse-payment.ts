import type { AlertKind } from '@meridian/contracts'
import { type Connection, execute, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'
import { recordNotificationParts, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { orderSnapshotSql } from '../orders/move-order.ts'
import { secondAttemptPart } from '../orders/order-attempts.ts'
import { isReturned, recordSecondPaymentPart } from '../orders/second-payment.ts'
import { withinTransaction } from '../platform/sql/transaction.ts'
import { applyToldRefunds } from '../refunds/external-refunds.ts'
import { type Arrival, type PaymentDecision, type PaymentVerdict, traceOfArrival } from './decide-payment.ts'

const alertKinds = {
  mismatch: 'payment_mismatch',
  second_transaction: 'second_transaction',
  order_unknown: 'order_unknown',
} as const satisfies Record<string, AlertKind>

type Refusal = Exclude<PaymentDecision['verdict'], 'pay' | 'already_paid'>

export type Refused = {
  /** The order's own number; of an order that we do not know, the number that was paid. */
  outTradeNo: string
  arrival: Arrival
  verdict: Refusal
  detail: object
  ordersPayer?: string | null
}

/** Keeps what does not fit: the evidence, an alert, and one line on the order's timeline when the alert is new. */
export function refusalStatement(
  payment: ConfirmedPayment,
  { outTradeNo, arrival, verdict, detail, ordersPayer = null }: Refused,
) {
  const { confirmedBy: source, delivery } = arrival
  const { channel, paymentNo } = payment
  const newlyAlerted = reading(
    ['alert'],
    Prisma.sql`${orderSnapshotSql(outTradeNo)} standing, alert WHERE alert.opened`,
  )
  const outcome = reading([], Prisma.sql`${verdict}::text`)
  const isSecond = verdict === 'second_transaction'
  const isSecondAttempt = isSecond && channel === 'virtual'
  return statement({
    name: `${delivery ? 'refuse-notified-payment' : 'refuse-payment'}-${verdict}${isSecondAttempt ? '-virtual' : ''}`,
    parts: [
      raiseAlertPart(alertKinds[verdict], outTradeNo, { ...detail, transaction_id: paymentNo }),
      appendEventsPart(newlyAlerted, {
        kind: verdict,
        trace: traceOfArrival(arrival),
        detail: Prisma.sql`${JSON.stringify(detail)}::jsonb`,
      }),
      ...(isSecond ? [recordSecondPaymentPart(payment, { outTradeNo, source, ordersPayer })] : []),
      ...(isSecondAttempt ? [secondAttemptPart(payment)] : []),
      ...(delivery ? recordNotificationParts({ delivery, outTradeNo, outcome, detail }) : []),
    ],
  })
}

/**
 * A refusal writes to the inbox and refers to the order, and so does the payment of that order: both lock the order
 * first, or each could wait for what the other holds. Who only refers to the order need not wait.
 */
const lockRefusedOrder = (client: PoolClient, outTradeNo: string) =>
  execute(
    client,
    query(
      'lock-refused-order',
      Prisma.sql`SELECT FROM orders WHERE out_trade_no = ${outTradeNo} FOR NO KEY UPDATE`,
    ),
  )

/**
 * Records a payment that does not pay its order, with the order locked. A refund of a second payment that was told before
 * the payment itself is applied together with it.
 */
export const recordRefusal = (
  db: Connection,
  payment: ConfirmedPayment,
  refused: Refused,
): Promise<PaymentVerdict> =>
  withinTransaction(db, async (client) => {
    const { outTradeNo, verdict, arrival } = refused
    await lockRefusedOrder(client, outTradeNo)
    await execute(client, refusalStatement(payment, refused))
    if (verdict === 'second_transaction' && payment.channel === 'virtual')
      await applyToldRefunds(client, new Map([[payment.paymentNo, traceOfArrival(arrival)]]))
    return verdict
  })

/** A second payment is recorded and told; once all of it went back, the platform's repeats are over. */
export async function recordSecond(
  db: Connection,
  payment: ConfirmedPayment,
  second: Omit<Refused, 'verdict' | 'detail'>,
): Promise<PaymentVerdict> {
  if (!(await isReturned(db, payment.paymentNo)))
    return recordRefusal(db, payment, { ...second, verdict: 'second_transaction', detail: {} })
  const { outTradeNo, arrival } = second
  if (arrival.delivery) await recordRepeat(db, outTradeNo, arrival.delivery)
  return 'already_paid'
}

/** The same payment told once more: kept in the inbox, and nothing else. */
export const repeatStatement = (outTradeNo: string, delivery: VerifiedDelivery) => {
  const outcome = reading([], Prisma.sql`'already_paid'`)
  return statement({
    name: 'record-repeated-payment',
    parts: recordNotificationParts({ delivery, outTradeNo, outcome }),
  })
}

export async function recordRepeat(
  db: Connection,
  outTradeNo: string,
  delivery: VerifiedDelivery,
): Promise<void> {
  await execute(db, repeatStatement(outTradeNo, delivery))
}
