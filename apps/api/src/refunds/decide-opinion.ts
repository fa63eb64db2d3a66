import type { SettingValue } from '@meridian/contracts'

/** What our own data say of the payment that Apple asks about; without a number of ours nothing is known. */
export type InquiryFacts = {
  opinion: SettingValue<'ios_refund_opinion'>
  outTradeNo: string | null
  amountFen: number | null
  paidAt: Date | null
  daysGranted: number
  daysUsed: number
  reports: number
}

export type Opinion = { letPass: boolean; evidence: string }

const yuan = (fen: number) => (fen / 100).toFixed(2)

function evidenceOf({ outTradeNo, amountFen, paidAt, daysGranted, daysUsed, reports }: InquiryFacts): string {
  if (outTradeNo === null || amountFen === null) return 'no such order'
  if (paidAt === null) return `order ${outTradeNo}, CNY ${yuan(amountFen)}, not paid, nothing granted`
  return [
    `order ${outTradeNo}, CNY ${yuan(amountFen)}, paid ${paidAt.toISOString()}`,
    `${daysGranted} days granted`,
    `${daysUsed} days used`,
    `${reports} reports stored since`,
  ].join(', ')
}

/**
 * Whether a refund is let pass (SPEC §15): by use, where nothing was granted or nothing of it was used. Of a number that
 * we never signed there is nothing to hold against it, whatever the setting says.
 */
export function decideOpinion(facts: InquiryFacts): Opinion {
  const { opinion, outTradeNo, daysGranted, daysUsed } = facts
  const byUse = daysGranted === 0 || daysUsed === 0
  const letPass = outTradeNo === null || opinion === 'allow' || (opinion === 'by_use' && byUse)
  return { letPass, evidence: evidenceOf(facts) }
}
