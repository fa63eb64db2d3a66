import type { ApprovalKind, ApprovalObstacle, ApprovalVerdict } from '@meridian/contracts'
import { type Db, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { approvalObstacleSql, isSecondOwnerSql, refuseObstacle, requireAsker } from './eligibility.ts'

const { sql } = Prisma

type Ask = {
  kind: ApprovalKind
  subject: string
  before: Prisma.InputJsonValue
  after: Prisma.InputJsonValue
  operatorId: string
  /** Whether it takes effect after a day without a second person. */
  dueInADay?: boolean
}

type Asked = { id: string; dueAt: Date | null }

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

type Decided = {
  subject: string
  before: unknown
  after: unknown
  requestedBy: string
  outcome: 'approved' | 'rejected' | 'withdrawn'
}

type Decision = ApprovalVerdict & {
  kind: ApprovalKind
  operatorId: string
  /** Only a second owner of more than a day approves it. */
  byOwner?: boolean
}

type Waiting = Omit<Decided, 'outcome'> & { obstacle: ApprovalObstacle | null; isSecondOwner: boolean }

/** The request as it waits, locked, for the operator who decides. */
async function lockWaiting(db: Db, { id, kind, operatorId }: Decision): Promise<Waiting> {
  const obstacle = approvalObstacleSql({
    approver: sql`${operatorId}::uuid`,
    requester: sql`r.requested_by`,
    askedAt: sql`r.requested_at`,
  })
  const [waiting] = await db.$queryRaw<Waiting[]>(sql`
    SELECT r.subject, r.before, r.after, r.requested_by::text AS "requestedBy", ${obstacle} AS obstacle,
      EXISTS (SELECT 1 FROM operators o WHERE o.id = ${operatorId}::uuid AND o.role = 'owner'
        AND o.totp_confirmed_at < business_now() - interval '24 hours') AS "isSecondOwner"
    FROM approval_requests r WHERE r.id = ${id}::bigint AND r.kind = ${kind} AND r.state = 'requested' FOR UPDATE OF r`)
  if (!waiting) throw new DomainError('changed_meanwhile')
  return waiting
}

/**
 * A second person approves or rejects what waits; whoever asked takes it back. What was approved is done by the caller,
 * in the same transaction.
 * @throws DomainError changed_meanwhile when it waits no more; account_too_new, second_person_required
 */
export async function decideApproval(db: Db, decision: Decision): Promise<Decided> {
  const { id, approve, operatorId, byOwner = false } = decision
  const { obstacle, isSecondOwner, ...waiting } = await lockWaiting(db, decision)
  if (approve) refuseObstacle(obstacle ?? (byOwner && !isSecondOwner ? 'factor_too_new' : null))
  const taken = waiting.requestedBy === operatorId
  const outcome = approve ? 'approved' : taken ? 'withdrawn' : 'rejected'
  await db.$executeRaw(sql`
    UPDATE approval_requests SET state = ${outcome}::approval_state, decided_by = ${operatorId}::uuid, decided_at = business_now()
    WHERE id = ${id}::bigint`)
  return { ...waiting, outcome }
}

/**
 * What was due takes effect without a second person: answers it once, and null while it is not due, when it was
 * decided, or when who asked is no owner any more.
 */
export async function elapseApproval(
  db: Db,
  { id, kind }: { id: string; kind: ApprovalKind },
): Promise<Omit<Decided, 'outcome'> | null> {
  const [due] = await db.$queryRaw<Omit<Decided, 'outcome'>[]>(sql`
    UPDATE approval_requests r SET state = 'elapsed', decided_at = business_now()
    FROM operators o
    WHERE r.id = ${id}::bigint AND r.kind = ${kind} AND r.state = 'requested' AND r.due_at <= business_now()
      AND o.id = r.requested_by AND o.disabled_at IS NULL AND o.role = 'owner'
    RETURNING r.subject, r.before, r.after, r.requested_by::text AS "requestedBy"`)
  return due ?? null
}

/** Whether there is an owner beside this one who could decide: account and factor older than a day. */
export async function hasSecondOwner(db: Db, askerId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>(
    sql`SELECT 1 FROM operators o WHERE ${isSecondOwnerSql(askerId)} LIMIT 1`,
  )
  return rows.length > 0
}
