import { keptRows, SignInFailure, type SignInFailureReason } from '@meridian/contracts'
import { networkOf } from '@meridian/contracts/addresses'
import { column, execute, nullable, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import type { RequestMeta } from '../audit/write-audit.ts'
import type { DataKeys } from '../platform/crypto/data-keys.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { type LimitRule, limitRules, refuseBeyond } from '../platform/limits/open-limits.ts'
import { logSecurityEvent } from '../platform/log.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'

const { sql } = Prisma

const signInFailureColumns = columnsOf(SignInFailure)

const kept = keptRows.sign_in_failures
const shown = 50

/** One attempt to sign in, or to prove the current password: whose, and from where. */
export type Attempt = { email: string; from: RequestMeta }

/** By what an e-mail is marked where it must not be read. */
const emailIdentity = (email: string): string => `operator e-mail ${email.toLowerCase()}`

/**
 * Leaves the trace of a failed attempt: of a known account its id, of an unknown one a keyed hash of the e-mail and
 * its first letter.
 */
export async function traceFailure(
  { database, dataKeys, log }: Pick<Services, 'database' | 'dataKeys' | 'log'>,
  { email, from }: Attempt,
  reason: SignInFailureReason,
): Promise<void> {
  const name = email.toLowerCase()
  const mark = await dataKeys.markOf(emailIdentity(name))
  const [traced] = await execute(
    database.pool,
    statement({
      name: 'trace-sign-in-failure',
      parts: [
        part(
          'traced',
          [],
          sql`
            INSERT INTO sign_in_failures (operator_id, email_mac, email_initial, address, request_id, reason)
            SELECT o.id, CASE WHEN o.id IS NULL THEN ${mark} END, CASE WHEN o.id IS NULL THEN left(${name}, 1) END,
                   ${from.address}, ${from.requestId}, ${reason}::sign_in_failure_reason
            FROM (SELECT 1) one LEFT JOIN operators o ON o.email = ${name}
            RETURNING id, operator_id`,
        ),
        part(
          'gone',
          ['traced'],
          sql`DELETE FROM sign_in_failures WHERE id <= (SELECT id FROM traced) - ${kept}`,
        ),
      ],
      select: reading(['traced'], sql`SELECT operator_id AS "operatorId" FROM traced`),
      rows: { operatorId: nullable(column.text) },
    }),
  )
  logSecurityEvent(log, 'sign_in_failed', {
    reason,
    operator: traced?.operatorId ?? null,
    address: from.address,
    requestId: from.requestId,
  })
}

/** The latest failed sign-ins, the newest first. */
export const listSignInFailures = (pool: Pool): Promise<SignInFailure[]> =>
  execute(
    pool,
    query(
      'list-sign-in-failures',
      sql`
      SELECT f.id::text AS id, f.at, f.operator_id AS "operatorId",
             left(coalesce(o.email, f.email_initial), 1) || '••••' || coalesce(substring(o.email FROM '@.*$'), '') AS who,
             f.address, f.reason::text AS reason
      FROM sign_in_failures f LEFT JOIN operators o ON o.id = f.operator_id ORDER BY f.id DESC LIMIT ${shown}`,
      signInFailureColumns,
    ),
  )

/** Old traces and those beyond their number, at most so many at once. */
export const expiredSignInFailuresSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM sign_in_failures WHERE id IN (
    SELECT id FROM sign_in_failures WHERE at < ${keptSinceSql('sign_in_failures')}
      OR id <= (SELECT id FROM sign_in_failures ORDER BY id DESC OFFSET ${kept} LIMIT 1)
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`

/** What an attempt has used up. */
type Allowance = {
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
