import { networkOf } from '@meridian/contracts/addresses'
import type { DataKeys } from '../platform/crypto/data-keys.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { type LimitRule, limitRules } from '../platform/limits/limit-rules.ts'
import { refuseBeyond } from '../platform/limits/open-limits.ts'
import type { Services } from '../services.ts'
import { type Attempt, emailIdentity, traceFailure } from './trace-sign-in.ts'

/** What an attempt has used up. */
export type Allowance = {
  /** Whether the account has signed in well from there within the last thirty days. */
  known: boolean
  /** An attempt that was none at guessing takes nothing off the allowance. */
  giveBack: () => Promise<void>
}

type Use = readonly [rule: LimitRule, key: string]

/**
 * What counts an attempt. A known account and address have an allowance that nobody else can use up; everybody else
 * shares what there is for the address, the account and all of them, the narrowest last but one so that one address
 * uses up little of what all share.
 */
async function usesOf(
  { email, from: { address } }: Attempt,
  { known, dataKeys }: { known: boolean; dataKeys: DataKeys },
): Promise<Use[]> {
  // Redis is given no e-mail.
  const account = await dataKeys.markOf(emailIdentity(email))
  const network = networkOf(address)
  const pair = `${account} ${network}`
  if (known) return [[limitRules.knownSignIns, pair]]
  return [
    [limitRules.signInsOfAddress, network],
    [limitRules.signIns, pair],
    [limitRules.signInsOfAccount, account],
    [limitRules.allSignIns, 'all'],
  ]
}

/**
 * Counts an attempt before anything is looked at. Of those beyond a limit the first leaves a trace: the others are
 * told by it, and cost nothing.
 * @throws DomainError rate_limited
 */
export async function takeAllowance(services: Services, attempt: Attempt): Promise<Allowance> {
  const { limits, knownAddresses, dataKeys } = services
  const known = await knownAddresses.has({ email: attempt.email, address: attempt.from.address })
  const uses = await usesOf(attempt, { known, dataKeys })
  for (const [rule, key] of uses) {
    const count = await limits.count(rule, key)
    if (count.used === rule.points + 1) await traceFailure(services, attempt, 'rate_limited')
    refuseBeyond(count)
  }
  return {
    known,
    giveBack: async () => {
      await Promise.all(uses.map(([rule, key]) => limits.giveBack(rule, key)))
    },
  }
}

/** Leaves a trace where an attempt was refused for want of room, and refuses it all the same. */
export async function tracedWhenRefused<Result>(
  services: Services,
  attempt: Attempt,
  { work, reason }: { work: () => Promise<Result>; reason: 'busy' | 'rate_limited' },
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError && error.code === 'rate_limited')
      await traceFailure(services, attempt, reason)
    throw error
  }
}
