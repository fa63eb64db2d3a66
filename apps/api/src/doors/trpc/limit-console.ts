import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../../domain-error.ts'

const signIns = new RateLimiterMemory({ points: 10, duration: 60 })
const calls = new RateLimiterMemory({ points: 600, duration: 60 })

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    throw new DomainError('rate_limited', {
      retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
    })
  }
}

/**
 * Slows down guessing per account and address together: a stranger elsewhere cannot lock anybody out.
 * @throws DomainError rate_limited
 */
export const countSignIn = (email: string, address: string) =>
  count(signIns, `${email.toLowerCase()} ${address}`)

/**
 * Counts one call of a console session.
 * @throws DomainError rate_limited
 */
export const countCall = (sessionId: string) => count(calls, sessionId)
