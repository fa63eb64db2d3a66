import type { ApprovalObstacle } from '@meridian/contracts'
import { column, type Db, execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

const { sql } = Prisma

/** Whether the account was made, reset or given another role so lately that it takes no part, as an expression. */
const isNewAccountSql = (operatorId: Prisma.Sql): Prisma.Sql => sql`EXISTS (
  SELECT 1 FROM operator_changes c WHERE c.operator_id = ${operatorId} AND c.counts_at > business_now())`

/** Whether the operator may ask for what needs a second person, as an expression. */
export const mayAskSql = (operatorId: string): Prisma.Sql =>
  sql`NOT ${isNewAccountSql(sql`${operatorId}::uuid`)}`

/** A request as expressions: who looks at it, who asked, and when. */
export type AskedSql = { approver: Prisma.Sql; requester: Prisma.Sql; askedAt: Prisma.Sql }

// Whoever made the account, or made who made it: two accounts of one owner are that owner.
const isMadeByRequesterSql = ({ approver, requester, askedAt }: AskedSql): Prisma.Sql => sql`
  ${requester} IN (
    WITH RECURSIVE makers (id) AS (
      SELECT c.changed_by FROM operator_changes c WHERE c.operator_id = ${approver} AND c.counts_at > ${askedAt}
      UNION
      SELECT c.changed_by FROM operator_changes c JOIN makers m ON c.operator_id = m.id WHERE c.counts_at > ${askedAt})
    SELECT id FROM makers WHERE id IS NOT NULL)`

/**
 * Why this operator may not approve that request, as an expression of type text; null when nothing is in the way: the
 * one rule of every second person (SPEC §20).
 */
export const approvalObstacleSql = (asked: AskedSql): Prisma.Sql => sql`
  CASE
    WHEN ${asked.approver} = ${asked.requester} THEN 'own_request'
    WHEN ${isNewAccountSql(asked.approver)} THEN 'account_too_new'
    WHEN NOT coalesce((SELECT a.totp_confirmed_at < ${asked.askedAt} FROM operators a WHERE a.id = ${asked.approver}), false)
      THEN 'factor_too_new'
    WHEN ${isMadeByRequesterSql(asked)} THEN 'made_by_requester'
  END`

/** Owners beside the one who asks, whose account and factor are older than a day, as a condition on operators `o`. */
export const isSecondOwnerSql = (askerId: string): Prisma.Sql => sql`
  o.role = 'owner' AND o.disabled_at IS NULL AND o.id <> ${askerId}::uuid
  AND o.totp_confirmed_at < business_now() - interval '24 hours' AND NOT ${isNewAccountSql(sql`o.id`)}`

/** Who of these roles may take part in what needs two, and from when (`ready_at`): their account and their factor. */
export const readyPersonsSql = (roles: readonly string[]): Prisma.Sql => sql`
  SELECT o.id, greatest(o.totp_confirmed_at, o.factor_trusted_from,
    (SELECT max(c.counts_at) FROM operator_changes c WHERE c.operator_id = o.id)) AS ready_at
  FROM operators o
  WHERE o.role::text = ANY(${[...roles]}::text[]) AND o.disabled_at IS NULL AND o.totp_confirmed_at IS NOT NULL`

/** @throws DomainError account_too_new, second_person_required where something is in the way of approving */
export function refuseObstacle(obstacle: ApprovalObstacle | null): void {
  if (obstacle === null) return
  const isNew = obstacle === 'account_too_new' || obstacle === 'factor_too_new'
  throw new DomainError(isNew ? 'account_too_new' : 'second_person_required')
}

/**
 * Lets pass whoever may ask for what needs a second person.
 * @throws DomainError account_too_new
 */
export async function requireAsker(db: Db, operatorId: string): Promise<void> {
  const [row] = await db.$queryRaw<{ may: boolean }[]>(sql`SELECT ${mayAskSql(operatorId)} AS may`)
  if (!row?.may) throw new DomainError('account_too_new')
}

/** Like requireAsker, on a connection of the pool. */
export async function requireAskerOf(pool: Pool, operatorId: string): Promise<void> {
  const [row] = await execute(
    pool,
    query('may-ask', sql`SELECT ${mayAskSql(operatorId)} AS may`, { may: column.boolean }),
  )
  if (!row?.may) throw new DomainError('account_too_new')
}
