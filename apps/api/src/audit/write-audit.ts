import type { Db, Prisma } from '@meridian/db'

/** From where an operator acts. */
export type Footprint = { address: string; userAgent: string; requestId: string }

export type Act = {
  operatorId: string
  action: string
  subject: { type: string; id: string }
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/** Who did what: written in the transaction of the act itself. */
export async function writeAudit(
  db: Db,
  { operatorId, action, subject, before, after }: Act,
  from: Footprint,
): Promise<void> {
  await db.auditEntry.create({
    data: {
      operatorId,
      action,
      subjectType: subject.type,
      subjectId: subject.id,
      ...(before && { before }),
      ...(after && { after }),
      address: from.address,
      requestId: from.requestId,
    },
  })
}
