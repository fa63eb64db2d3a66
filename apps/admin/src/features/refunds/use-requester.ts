import { type RefundRow, refundOriginOf } from '@meridian/contracts'
import { useTranslations } from 'next-intl'

type Requested = Pick<RefundRow, 'requestedByEmail' | 'reason' | 'channel' | 'byApple'>

/** Who asked for a refund, in words: an operator, a rule, or whoever made it outside. */
export function useRequester(): (refund: Requested) => string {
  const t = useTranslations('refunds.origins')
  return (refund) => refund.requestedByEmail ?? t(refundOriginOf(refund))
}
