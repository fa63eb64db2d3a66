import type { Credentials } from '../check-settings.ts'
import { encryptField, LONGEST_FIELD_BYTES } from '../cipher.ts'
import type { ConfirmedRefund } from '../confirmed-refund.ts'
import type { PreferredKey } from '../key-ring/key-ring.ts'
import { readRefund } from '../notification/read-confirmed.ts'
import type { AbnormalRefund, RefundRequest } from '../payments.ts'
import { type Endpoint, invalid } from './endpoint.ts'

const OUT_REFUND_NO = /^[0-9A-Za-z_\-|*@]{1,64}$/
const LONGEST_REASON = 80

const readAbout = (outRefundNo: string) => (content: unknown) => {
  const refund = readRefund(content, 'query')
  return refund?.outRefundNo === outRefundNo ? refund : undefined
}

/**
 * `POST /v3/refund/domestic/refunds` (protocol §6.1). The number makes a repeat the same refund; accepted is not
 * succeeded. Throws PaymentsError `invalid_request`.
 */
export function requestRefund(
  { notifyUrl }: Credentials,
  { outRefundNo, outTradeNo, transactionId, amountFen, totalFen, reason }: RefundRequest,
): Endpoint<ConfirmedRefund> {
  if (!OUT_REFUND_NO.test(outRefundNo)) throw invalid('/out_refund_no is not 1 to 64 of [0-9A-Za-z_-|*@]')
  if (!Number.isSafeInteger(amountFen) || amountFen < 1) throw invalid('/amount/refund is not at least 1 fen')
  if (!Number.isSafeInteger(totalFen) || totalFen < amountFen)
    throw invalid('/amount/total is below the refund')
  if (reason !== undefined && (reason === '' || reason.length > LONGEST_REASON)) {
    throw invalid('/reason is empty or over 80 characters')
  }
  return {
    name: 'request_refund',
    method: 'POST',
    path: '/v3/refund/domestic/refunds',
    body: {
      ...(transactionId === undefined ? { out_trade_no: outTradeNo } : { transaction_id: transactionId }),
      out_refund_no: outRefundNo,
      ...(reason !== undefined && { reason }),
      // Without it the platform would send the older XML notifications.
      notify_url: notifyUrl,
      amount: { refund: amountFen, total: totalFen, currency: 'CNY' },
    },
    read: readAbout(outRefundNo),
  }
}

/** `GET /v3/refund/domestic/refunds/…` (protocol §6.3). */
export const queryRefund = (outRefundNo: string): Endpoint<ConfirmedRefund> => ({
  name: 'query_refund',
  method: 'GET',
  path: `/v3/refund/domestic/refunds/${encodeURIComponent(outRefundNo)}`,
  read: readAbout(outRefundNo),
})

/**
 * `POST …/apply-abnormal-refund` (protocol §6.4). Card number and name leave here encrypted for the key that the
 * request names (§2.4). Throws PaymentsError `invalid_request`.
 */
export function applyAbnormalRefund(refund: AbnormalRefund, key: PreferredKey): Endpoint<ConfirmedRefund> {
  const { refundId, outRefundNo } = refund
  const sealed = (text: string, field: string) => {
    if (text === '' || Buffer.byteLength(text) > LONGEST_FIELD_BYTES)
      throw invalid(`${field} is empty or too long`)
    return encryptField(text, key.key)
  }
  const target =
    refund.to === 'merchant_bank_card'
      ? { type: 'MERCHANT_BANK_CARD' }
      : {
          type: 'USER_BANK_CARD',
          bank_type: refund.bankType,
          bank_account: sealed(refund.bankAccount, '/bank_account'),
          real_name: sealed(refund.realName, '/real_name'),
        }
  return {
    name: 'abnormal_refund',
    method: 'POST',
    path: `/v3/refund/domestic/refunds/${encodeURIComponent(refundId)}/apply-abnormal-refund`,
    body: { out_refund_no: outRefundNo, ...target },
    serial: key.id,
    read: readAbout(outRefundNo),
  }
}
