import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../errors/domain-error.ts'
import { openSharedCounters, type Sharing } from './shared-counters.ts'

/** So many points in so many seconds for each key; `alone` where every process counts for itself by contract. */
export type LimitRule = { name: string; points: number; seconds: number; alone?: boolean }

/** What is counted beside the limits of `RATE_LIMITS`; the numbers are those of the contract's *Limits*. */
export const limitRules = {
  consoleCalls: { name: 'console', points: 600, seconds: 60 },
  /** Failed sign-ins of one account from one address, of all accounts from one, of one from all, and of all. */
  signIns: { name: 'sign-in', points: 10, seconds: 60 },
  signInsOfAddress: { name: 'sign-in-address', points: 60, seconds: 60 },
  signInsOfAccount: { name: 'sign-in-account', points: 20, seconds: 60 },
  allSignIns: { name: 'sign-in-all', points: 300, seconds: 60 },
  /** Where an account has signed in well before, strangers take nothing off its allowance. */
  knownSignIns: { name: 'sign-in-known', points: 10, seconds: 60 },
  /** Sign-ins by the company's identity from one network: each asks the provider. They take nothing off passwords. */
  identitySignIns: { name: 'sign-in-identity', points: 30, seconds: 60 },
  /** Who guesses codes has the password already: this slows nobody else down. */
  codes: { name: 'code', points: 10, seconds: 600 },
  refusedNotifications: { name: 'refused-notifications', points: 500, seconds: 1, alone: true },
} as const satisfies Readonly<Record<string, LimitRule>>

/** Where a key stands after it was counted. */
export type Count = { points: number; used: number; remaining: number; msBeforeNext: number; within: boolean }

export type Limits = {
  /** Counts one use of `key`, also when it is beyond the limit. */
  count: (rule: LimitRule, key: string) => Promise<Count>
  /**
   * Counts one use of `key`, or several that come together.
   * @throws DomainError rate_limited beyond the limit
   */
  spend: (rule: LimitRule, key: string, times?: number) => Promise<void>
  /** Takes one use back, as if it had not been. */
  giveBack: (rule: LimitRule, key: string) => Promise<void>
  /** Forgets what was counted of `key`. */
  clear: (rule: LimitRule, key: string) => Promise<void>
  /** Whether replicas share their limits: what the metric and the alert about it read. */
  sharing: () => Sharing
  close: () => void
}

/** @throws DomainError rate_limited, with the seconds after which it is worth another try */
export function refuseBeyond({ within, msBeforeNext }: Count): void {
  if (within) return
  throw new DomainError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
}

/** A Redis that was started afresh: it takes the script with the next call. */
const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

type Counter = RateLimiterMemory | RateLimiterRedis

type Use = { rule: LimitRule; key: string; times: number }

async function consume(counter: Counter, { rule, key, times }: Use): Promise<Count> {
  const standing = ({ consumedPoints: used, remainingPoints, msBeforeNext }: RateLimiterRes): Count => {
    const remaining = Math.max(0, remainingPoints)
    return { points: rule.points, used, remaining, msBeforeNext, within: used <= rule.points }
  }
  try {
    return standing(await counter.consume(key, times))
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return standing(refused)
  }
}

/**
 * The one place that counts: by every process alone in memory, or together in Redis where `redisUrl` is given. While
 * Redis is away each process limits alone.
 */
export function openLimits(redisUrl: string | undefined, log: Pick<Logger, 'info' | 'warn'>): Limits {
  const opened = new Date()
  const shared = redisUrl
    ? openSharedCounters(redisUrl, ({ up, reason }) =>
        up ? log.info('limits are shared through Redis') : log.warn({ reason }, 'limits are not shared'),
      )
    : null
  const counters = new Map<string, { memory: RateLimiterMemory; redis: RateLimiterRedis | null }>()
  const countersOf = ({ name, points, seconds, alone }: LimitRule) => {
    const known = counters.get(name)
    if (known) return known
    const options = { points, duration: seconds, keyPrefix: `limit:${name}` }
    const redis = shared && !alone ? new RateLimiterRedis({ storeClient: shared.redis, ...options }) : null
    const made = { memory: new RateLimiterMemory(options), redis }
    counters.set(name, made)
    return made
  }
  const inOneOf = async <Result>(rule: LimitRule, act: (counter: Counter) => Promise<Result>) => {
    const { memory, redis } = countersOf(rule)
    if (!redis || !shared?.isUp()) return act(memory)
    try {
      return await act(redis)
    } catch (error) {
      if (!isUnknownScript(error)) shared.failed(error)
      return act(memory)
    }
  }
  const use = (uses: Use) => inOneOf(uses.rule, (counter) => consume(counter, uses))
  return {
    count: (rule, key) => use({ rule, key, times: 1 }),
    spend: async (rule, key, times = 1) => refuseBeyond(await use({ rule, key, times })),
    giveBack: async (rule, key) => {
      await inOneOf(rule, (counter) => counter.reward(key))
    },
    clear: async (rule, key) => {
      await inOneOf(rule, (counter) => counter.delete(key))
    },
    sharing: () => shared?.sharing() ?? { configured: false, up: false, since: opened },
    close: () => shared?.close(),
  }
}
