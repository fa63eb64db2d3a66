import { PaymentChannel } from '@meridian/contracts'
import { column, execute, oneOf, type Pool, Prisma, query } from '@meridian/db'
import type { RefundQueryAnswer } from '@meridian/payments'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

/** @throws DomainError payment_not_configured */
export function configured<Channel>(channel: Channel | null): Channel {
  if (!channel) throw new DomainError('payment_not_configured')
  return channel
}

const payerColumns = { channel: oneOf(PaymentChannel.options), payerOpenid: column.text }

/** @throws DomainError not_found */
async function getPayer(pool: Pool, outRefundNo: string) {
  const [payer] = await execute(
    pool,
    query(
      'find-payer-of-refund',
      Prisma.sql`
      SELECT o.channel, o.payer_openid AS "payerOpenid" FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.out_refund_no = ${outRefundNo}`,
      payerColumns,
    ),
  )
  if (!payer) throw new DomainError('not_found')
  return payer
}

type Asked = { answer: RefundQueryAnswer; mchId: string | null }

/**
 * What the platform knows of a refund, by the channel of its order. Virtual payment answers only who names the payer.
 * An erased one had no refund under way, so that what was asked for since never left.
 * @throws DomainError not_found, payment_not_configured; PaymentsError, MiniProgramError
 */
export async function askRefund(services: Services, outRefundNo: string): Promise<Asked> {
  const { channel, payerOpenid } = await getPayer(services.database.pool, outRefundNo)
  if (channel === 'jsapi') {
    const payments = configured(services.payments)
    return { answer: await payments.queryRefund(outRefundNo), mchId: payments.mchId }
  }
  const virtual = configured(services.virtual)
  const answer: RefundQueryAnswer = isAnonymised(payerOpenid)
    ? { state: 'no_such_refund', requestId: null }
    : await virtual.queryRefund(outRefundNo, payerOpenid)
  return { answer, mchId: null }
}
