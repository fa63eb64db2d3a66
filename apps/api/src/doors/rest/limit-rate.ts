import { networkOf } from '@meridian/contracts/addresses'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config, LimitName } from '../../config.ts'
import { type Count, type Limits, refuseBeyond } from '../../platform/limits/open-limits.ts'

/** What requests without a user are counted by. */
export const addressKeyOf = ({ ip }: FastifyRequest): string => networkOf(ip)

function announce(reply: FastifyReply, { points, remaining, msBeforeNext }: Count): void {
  reply.header('ratelimit-limit', points)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', Math.ceil(msBeforeNext / 1000))
}

/**
 * The limits of the REST door, per minute. The function it answers counts one request of `key` and says so in the
 * answer's RateLimit headers; it throws DomainError rate_limited. A limit of 0 is none.
 */
export function limitRate(limits: Limits, { RATE_LIMITS }: Pick<Config, 'RATE_LIMITS'>) {
  return async (name: LimitName, key: string, reply: FastifyReply): Promise<void> => {
    const points = RATE_LIMITS[name]
    if (points === 0) return
    const count = await limits.count({ name, points, seconds: 60 }, key)
    announce(reply, count)
    refuseBeyond(count)
  }
}
