import type { PaymentChannel } from './order-status.ts'
import type { RefundReason } from './refund-status.ts'

/**
 * Who makes a refund that no operator asks for: a rule of ours, Apple, or somebody in the platform's own console of the
 * channel.
 */
export type RefundOrigin = 'rule' | 'apple' | PaymentChannel

type Made = { reason: RefundReason; channel: PaymentChannel; byApple: boolean }

/** What Apple took only Apple gives back, so that no one else can have made its external refund. */
export function refundOriginOf({ reason, channel, byApple }: Made): RefundOrigin {
  if (reason !== 'external') return 'rule'
  return byApple ? 'apple' : channel
}
