import { proofMinutes } from '@meridian/contracts'
import { type Footprint, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import type { Services } from '../services.ts'
import type { SignedInOperator } from './sign-in.ts'
import { countCode, forgetCodes, refuseCode, spendCode } from './spend-code.ts'

/**
 * Lets pass who has shown their second factor in the last ten minutes.
 * @throws DomainError second_factor_required when they have none, step_up_required when it was too long ago
 */
export function requireProof({ enrolled, provenAt }: SignedInOperator): void {
  if (!enrolled) throw new DomainError('second_factor_required')
  if (!provenAt || Date.now() - provenAt.getTime() > proofMinutes * 60_000)
    throw new DomainError('step_up_required')
}

/**
 * A signed-in operator shows their second factor again; what is guarded is open for the next ten minutes.
 * @throws DomainError second_factor_required, invalid_code, rate_limited
 */
export async function proveIdentity(
  { database, config, limits }: Services,
  { operator, sessionId, enrolled }: SignedInOperator,
  { code, from }: { code: string; from: Footprint },
): Promise<{ provenUntil: Date }> {
  if (!enrolled) throw new DomainError('second_factor_required')
  await countCode(limits, operator.id)
  const provenAt = new Date()
  const by = await database.prisma.$transaction(async (db) => {
    const spent = await spendCode(db, { operatorId: operator.id, dataKeys: config.DATA_KEY }, code)
    if (spent === null) return null
    await db.operatorSession.update({ where: { id: sessionId }, data: { provenAt } })
    const subject = { type: 'session', id: sessionId }
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'operator.prove', subject, after: { by: spent } },
      from,
    )
    return spent
  })
  if (by === null) return refuseCode(database.prisma, operator.id, from)
  await forgetCodes(limits, operator.id)
  return { provenUntil: new Date(provenAt.getTime() + proofMinutes * 60_000) }
}
