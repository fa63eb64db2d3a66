import { factorTrustHours } from '@meridian/contracts'
import { type Database, type Db, type OpenDatabase, Prisma } from '@meridian/db'
import { endAlertSql, raiseAlertSql } from '../alerts/write-alert.ts'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import type { SignedInOperator } from './sign-in.ts'

const { sql } = Prisma
const shownConfirmers = 10

/**
 * From when a factor that is set up now counts as step-up (SPEC §20, Factors): at once in the first session of an
 * account or one of a one-time password, and where it replaces one that counts; else after a day.
 */
export function trustedFrom({
  enrolled,
  factorTrustedFrom,
  trustsNewFactor,
  at: now,
}: SignedInOperator): Date {
  const counts = enrolled ? factorTrustedFrom !== null && factorTrustedFrom <= now : trustsNewFactor
  return counts ? now : new Date(now.getTime() + factorTrustHours * 3_600_000)
}

export type FactorChange =
  | 'set'
  | 'replaced'
  | 'given_up'
  | 'reset'
  | 'codes_renewed'
  | 'identity_bound'
  | 'identity_unbound'

/**
 * Tells that the second factor of an account changed, its recovery codes included, which open as much: part of the
 * transaction that changes it.
 */
export async function raiseFactorChanged(db: Db, operatorId: string, change: FactorChange): Promise<void> {
  await db.$queryRaw(
    sql`WITH raised AS (${raiseAlertSql('factor_changed', operatorId, { change })}) SELECT opened FROM raised`,
  )
}

/**
 * An owner knows whose the new factor of a colleague is: it counts as step-up from now on.
 * @throws DomainError changed_meanwhile where nothing waits for it, second_person_required for one's own
 */
export async function confirmSecondFactor(
  database: Database,
  operatorId: string,
  actor: Actor,
): Promise<void> {
  if (operatorId === actor.operatorId) throw new DomainError('second_person_required')
  await database.$transaction(async (db) => {
    const now = await transactionTime(db)
    const { count } = await db.operator.updateMany({
      where: { id: operatorId, totpConfirmedAt: { not: null }, factorTrustedFrom: { gt: now } },
      data: { factorTrustedFrom: now },
    })
    if (count === 0) throw new DomainError('changed_meanwhile')
    await db.$queryRaw(endAlertSql('factor_changed', operatorId, 'factor_confirmed'))
    const subject = { type: 'operator', id: operatorId }
    await writeAudit(
      db,
      { operatorId: actor.operatorId, action: 'staff.confirm_second_factor', subject },
      actor.from,
    )
  })
}

/** The names of the owners who can confirm somebody's new factor now; nobody where it counts already. */
export async function listConfirmers(
  { prisma }: OpenDatabase,
  { operator, factorTrustedFrom, at: now }: SignedInOperator,
): Promise<string[]> {
  if (!factorTrustedFrom || factorTrustedFrom <= now) return []
  const owners = await prisma.operator.findMany({
    where: {
      role: 'owner',
      disabledAt: null,
      mustChangePassword: false,
      factorTrustedFrom: { lte: now },
      id: { not: operator.id },
    },
    select: { name: true },
    orderBy: { createdAt: 'asc' },
    take: shownConfirmers,
  })
  return owners.map(({ name }) => name)
}
