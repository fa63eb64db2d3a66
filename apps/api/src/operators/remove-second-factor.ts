import type { Db } from '@meridian/db'

/** Takes authenticator and recovery codes from an operator; no session of theirs stays proven. */
export async function removeSecondFactor(db: Db, operatorId: string): Promise<void> {
  await db.operator.update({
    where: { id: operatorId },
    data: { totpConfirmedAt: null, factorTrustedFrom: null, sealedTotp: null, totpStep: null },
  })
  await db.recoveryCode.deleteMany({ where: { operatorId } })
  await db.operatorSession.updateMany({ where: { operatorId }, data: { provenAt: null } })
}
