import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import type { VerifiedDelivery } from './record-notification.ts'

/**
 * Takes the payer out of what the inbox keeps of these orders: the openid gives way to its mark, the account a refund
 * went to is dropped, and the encrypted bytes, which would give both back, are emptied.
 */
export const anonymisePayers = (
  client: PoolClient,
  { outTradeNos, payer }: { outTradeNos: string[]; payer: string },
) =>
  execute(
    client,
    query(
      'forget-payers-in-inbox',
      Prisma.sql`
      UPDATE notifications SET body = '', payload = CASE WHEN payload #>> '{payer,openid}' IS NULL THEN payload
        ELSE jsonb_set(payload, '{payer,openid}', to_jsonb(${payer}::text)) END - 'user_received_account'
      WHERE out_trade_no = ANY(${outTradeNos}::text[])`,
    ),
  )

/** A delivery about the order of somebody who has gone, as it may be kept. */
export function withoutIdentity(delivery: VerifiedDelivery, payer: string): VerifiedDelivery {
  const { payload } = delivery.notification
  const known = typeof payload === 'object' && payload !== null ? payload : {}
  const notification = { ...delivery.notification, payload: { ...known, payer: { openid: payer } } }
  return { ...delivery, notification, body: Buffer.alloc(0) }
}
