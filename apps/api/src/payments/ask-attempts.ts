import { MiniProgramError, type VirtualAnswer } from '@meridian/payments'
import { type FailedCall, isFailedCall } from '../orders/obtain-prepay.ts'
import type { OpenAttempt } from '../orders/order-attempts.ts'
import { recordAttemptFacts } from '../orders/record-attempt.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

/** What the platform says of one attempt, or that it could not be asked: that is never "not paid" (virtual payment, V16). */
export type AttemptAnswer = VirtualAnswer | { state: 'failed'; error: FailedCall }

/** Fails when the time of whoever asks is over. */
const givenUp = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const giveUp = () => reject(new MiniProgramError('timeout'))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
  })

/**
 * Asks about attempts side by side, each with its payer's openid, and keeps what the platform says of them.
 * @throws DomainError payment_not_configured
 */
export async function askAttempts(
  { virtual, database }: Services,
  attempts: readonly OpenAttempt[],
  signal?: AbortSignal,
): Promise<AttemptAnswer[]> {
  if (!virtual) throw new DomainError('payment_not_configured')
  const ask = async ({ number, payerOpenid }: OpenAttempt): Promise<AttemptAnswer> => {
    try {
      const query = virtual.queryAttempt(number, payerOpenid)
      const answer = await (signal ? Promise.race([query, givenUp(signal)]) : query)
      if ('order' in answer) await recordAttemptFacts(database.pool, answer.order)
      return answer
    } catch (error) {
      if (!isFailedCall(error)) throw error
      return { state: 'failed', error }
    }
  }
  return Promise.all(attempts.map(ask))
}
