import { type Db, type Part, Prisma, part, type Reading } from '@meridian/db'

/** From where an operator acts. */
export type RequestMeta = { address: string; userAgent: string; requestId: string }

/** Which operator acts, and from where. */
export type Actor = { operatorId: string; from: RequestMeta }

export type AuditEntry = {
  operatorId: string
  action: string
  subject: { type: string; id: string }
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/** Who did what: written in the transaction of the act itself. */
export async function writeAudit(
  db: Db,
  { operatorId, action, subject, before, after }: AuditEntry,
  from: RequestMeta,
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

/** The same as an insert for each row of `source`: what changes nothing is not written. */
export const appendAuditSql = (
  source: Prisma.Sql,
  { operatorId, action, subject, before, after }: AuditEntry,
  from: RequestMeta,
): Prisma.Sql => Prisma.sql`
  INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, before, after, address, request_id)
  SELECT ${operatorId}::uuid, ${action}, ${subject.type}, ${subject.id}, ${before ? JSON.stringify(before) : null}::jsonb,
         ${after ? JSON.stringify(after) : null}::jsonb, ${from.address}, ${from.requestId}
  FROM ${source}`

/** The same as the part `audited` of a statement. */
export const appendAuditPart = <Reads extends string>(
  source: Reading<Reads>,
  entry: AuditEntry,
  from: RequestMeta,
): Part<'audited', Reads> => part('audited', source.reads, appendAuditSql(source.sql, entry, from))
