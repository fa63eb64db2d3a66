import type { PoolClient } from '@meridian/db'
import { withoutIdentity } from '../notifications/forget-notifications.ts'
import type { VerifiedDelivery } from '../notifications/record-notification.ts'
import { findErasedPayer } from '../orders/anonymise-payer.ts'

/** A delivery as the inbox may keep it: without the payer where the order's account is erased. */
export async function withoutErasedPayer(
  client: PoolClient,
  delivery: VerifiedDelivery,
  outTradeNo: string | null,
): Promise<VerifiedDelivery> {
  const erased = outTradeNo === null ? null : await findErasedPayer(client, outTradeNo)
  return erased === null ? delivery : withoutIdentity(delivery, erased)
}
