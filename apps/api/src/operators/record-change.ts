import { newAccountHours } from '@meridian/contracts'
import { type Db, Prisma } from '@meridian/db'
import type { Actor } from '../audit/write-audit.ts'

const { sql } = Prisma

export type AccountChange = 'made' | 'password_reset' | 'factor_reset' | 'role'

/**
 * Writes down who made or changed an account: for a day it takes no part in what needs a second person, and decides
 * nothing that they asked for meanwhile.
 */
export async function recordChange(
  db: Db,
  { operatorId, kind }: { operatorId: string; kind: AccountChange },
  actor: Actor,
): Promise<void> {
  await db.$executeRaw(sql`
    INSERT INTO operator_changes (operator_id, kind, changed_by, counts_at)
    VALUES (${operatorId}::uuid, ${kind}, ${actor.operatorId}::uuid, business_now() + ${newAccountHours} * interval '1 hour')`)
}

/** An account that a command made: it counts at once where no order was ever paid, so that a new shop can begin. */
export async function recordFirst(db: Db, operatorId: string): Promise<void> {
  await db.$executeRaw(sql`
    INSERT INTO operator_changes (operator_id, kind, counts_at)
    SELECT ${operatorId}::uuid, 'made', CASE WHEN EXISTS (SELECT 1 FROM orders WHERE paid_at IS NOT NULL)
      THEN business_now() + ${newAccountHours} * interval '1 hour' ELSE business_now() END`)
}
