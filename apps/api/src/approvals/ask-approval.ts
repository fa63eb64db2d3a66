import type { ApprovalKind } from '@meridian/contracts'
import { type Db, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { requireAsker } from './eligibility.ts'

const { sql } = Prisma

export type Ask = {
  kind: ApprovalKind
  subject: string
  before: Prisma.InputJsonValue
  after: Prisma.InputJsonValue
  operatorId: string
  /** Whether it takes effect after a day without a second person. */
  dueInADay?: boolean
}

export type Asked = { id: string; dueAt: Date | null }

/**
 * Keeps a change until a second person decides it; one at a time about one thing.
 * @throws DomainError account_too_new, already_waiting
 */
export async function askApproval(
  db: Db,
  { kind, subject, before, after, operatorId, dueInADay = false }: Ask,
): Promise<Asked> {
  await requireAsker(db, operatorId)
  const [asked] = await db.$queryRaw<Asked[]>(sql`
    INSERT INTO approval_requests (kind, subject, before, after, requested_by, due_at)
    VALUES (${kind}, ${subject}, ${JSON.stringify(before)}::jsonb, ${JSON.stringify(after)}::jsonb, ${operatorId}::uuid,
      CASE WHEN ${dueInADay}::boolean THEN business_now() + interval '24 hours' END)
    ON CONFLICT (kind, subject) WHERE state = 'requested' DO NOTHING
    RETURNING id::text, due_at AS "dueAt"`)
  if (!asked) throw new DomainError('already_waiting')
  return asked
}

/**
 * Keeps what a request is about from being taken away while somebody has to decide it.
 * @throws DomainError already_waiting
 */
export async function requireNothingWaits(
  db: Db,
  { kind, subject }: Pick<Ask, 'kind' | 'subject'>,
): Promise<void> {
  const waiting = await db.$queryRaw<unknown[]>(sql`
    SELECT 1 FROM approval_requests WHERE kind = ${kind} AND subject = ${subject} AND state = 'requested'`)
  if (waiting.length > 0) throw new DomainError('already_waiting')
}
