import type { AlertDetail } from '@meridian/contracts'
import { ReturnSecondPayment } from '../../refunds/return-second-payment.tsx'

/** The money of the second payment back to whoever paid it. */
export function ReturnSecondPaymentAct({ alert: { outTradeNo } }: { alert: AlertDetail }) {
  return outTradeNo ? <ReturnSecondPayment outTradeNo={outTradeNo} /> : null
}
