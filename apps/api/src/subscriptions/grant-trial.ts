import { column, execute, type PoolClient, Prisma, query, reading, statement } from '@meridian/db'
import { givenDaysGrantOf, writeGrantParts } from './write-grant.ts'

const { sql } = Prisma

export type Trial = {
  userId: string
  /** The device that gave proof; its row exists. */
  serialNumber: string
  days: number
  /** The keyed HMAC of the user's openid: a trial that an erased account used still counts. */
  openidMac: string | null
}

/** Two people and one device, or one person and two devices, wait for each other here and nowhere later. */
const trialLocks = ({ userId, serialNumber }: Trial): Prisma.Sql => sql`
  WITH device AS MATERIALIZED (SELECT serial_number FROM devices WHERE serial_number = ${serialNumber} FOR UPDATE)
  SELECT s.user_id FROM device, subscriptions s WHERE s.user_id = ${userId}::uuid FOR UPDATE OF s`

export const grantTrialStatement = ({ userId, serialNumber, days, openidMac }: Trial) => {
  const given = sql`(
    SELECT ${userId}::uuid AS user_id, NULL::uuid AS operator_id, ${serialNumber}::text AS serial_number,
      NULL::text AS reason, ${days}::int AS days
    WHERE ${days}::int > 0 AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.kind = 'trial' AND (g.serial_number = ${serialNumber} OR g.user_id = ${userId}::uuid
        OR g.user_id IN (SELECT u.id FROM users u WHERE u.openid_mac = ${openidMac})))) given`
  return statement({
    name: 'grant-trial',
    parts: writeGrantParts(givenDaysGrantOf('trial', given)),
    select: reading(['granted'], sql`SELECT seq FROM granted`),
    rows: { seq: column.integer },
  })
}

/**
 * Gives trial days, once per person and once per device, inside the caller's transaction. Answers whether this call
 * gave them; no days, a used trial or an unknown device give nothing and are no failure.
 */
export async function grantTrial(client: PoolClient, trial: Trial): Promise<boolean> {
  const locked = await execute(client, query('lock-trial', trialLocks(trial)))
  if (locked.length === 0) return false
  return (await execute(client, grantTrialStatement(trial))).length === 1
}
