import type { Database } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { recordChange } from './record-change.ts'
import { revokeAllSessions } from './sessions.ts'
import { raiseFactorChanged } from './trust-factor.ts'

/**
 * Takes the company's identity off an account, with every session of it: the next one whose verified e-mail is the account's
 * is bound anew. For a day it takes no part in what needs a second person, as after any other reset of a factor.
 * @throws DomainError not_found
 */
export async function unbindIdentity(database: Database, operatorId: string, actor: Actor): Promise<void> {
  await database.$transaction(async (db) => {
    const found = await db.operator.findUnique({
      where: { id: operatorId },
      select: { identityIssuer: true },
    })
    if (!found) throw new DomainError('not_found')
    const { count } = await db.operator.updateMany({
      where: { id: operatorId, identitySubject: { not: null } },
      data: { identityIssuer: null, identitySubject: null, identityTrustedFrom: null },
    })
    if (count === 0) return
    await raiseFactorChanged(db, operatorId, 'identity_unbound')
    await revokeAllSessions(db, operatorId)
    await recordChange(db, { operatorId, kind: 'factor_reset' }, actor)
    const subject = { type: 'operator', id: operatorId }
    const before = { issuer: found.identityIssuer }
    await writeAudit(
      db,
      { operatorId: actor.operatorId, action: 'staff.unbind_identity', subject, before },
      actor.from,
    )
  })
}
