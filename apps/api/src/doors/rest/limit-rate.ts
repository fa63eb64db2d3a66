import type { FastifyReply } from 'fastify'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config, LimitName } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'

const duration = 60

export type RateLimit = {
  /**
   * Counts one request of `key`, and says so in the answer's RateLimit headers.
   * @throws DomainError rate_limited
   */
  count: (limit: LimitName, key: string, reply: FastifyReply) => Promise<void>
  close: () => void
}

function announce(reply: FastifyReply, points: number, state: RateLimiterRes): void {
  reply.header('ratelimit-limit', points)
  reply.header('ratelimit-remaining', Math.max(0, state.remainingPoints))
  reply.header('ratelimit-reset', Math.ceil(state.msBeforeNext / 1000))
}

/** The limits of the REST door, per minute; shared by all replicas where Redis is configured. */
export function openRateLimit({ RATE_LIMITS, REDIS_URL }: Config): RateLimit {
  const redis = REDIS_URL
    ? new Redis(REDIS_URL, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 200 })
    : null
  redis?.on('error', () => undefined)
  const limiterOf = (points: number, keyPrefix: string) => {
    const memory = new RateLimiterMemory({ points, duration, keyPrefix })
    return redis
      ? new RateLimiterRedis({ storeClient: redis, points, duration, keyPrefix, insuranceLimiter: memory })
      : memory
  }
  const limiters = new Map(
    Object.entries(RATE_LIMITS).map(([name, points]) => [name, limiterOf(points, `limit:${name}`)]),
  )
  return {
    close: () => redis?.disconnect(),
    count: async (name, key, reply) => {
      const points = RATE_LIMITS[name]
      const limiter = limiters.get(name)
      if (points === 0 || !limiter) return
      try {
        announce(reply, points, await limiter.consume(key))
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        announce(reply, points, refused)
        throw new DomainError('rate_limited', {
          retryAfterSeconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        })
      }
    },
  }
}
