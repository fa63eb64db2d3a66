import type { AlertRow } from '@meridian/contracts'

/** Of what kind the subject of an alert is: the number of a refund, that of its order, or something else, such as a plan. */
export function subjectKindOf({
  subject,
  outTradeNo,
  outRefundNo,
}: Pick<AlertRow, 'subject' | 'outTradeNo' | 'outRefundNo'>): 'refund' | 'order' | 'other' {
  if (outRefundNo) return 'refund'
  return outTradeNo && subject.includes(outTradeNo) ? 'order' : 'other'
}
