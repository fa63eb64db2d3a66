import { execute, type Pool, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/** Who asks for the lease: a name made at start, and the role of its process. */
type Candidate = { holder: string; role: string }

/**
 * Takes the alert lease or makes it last longer; false while somebody else holds it. One that is not renewed is free
 * when it expires, by the database's clock.
 */
export async function takeLease(
  pool: Pool,
  { holder, role }: Candidate,
  leaseSeconds: number,
): Promise<boolean> {
  const rows = await execute(
    pool,
    query(
      'take-alert-lease',
      sql`
      INSERT INTO alert_lease AS lease (name, holder, role, expires_at)
      SELECT 'alerts', ${holder}::uuid, ${role}, business_now() + ${leaseSeconds}::float8 * interval '1 second'
      WHERE NOT EXISTS (
        SELECT FROM alert_lease WHERE name = 'alerts' AND holder <> ${holder}::uuid AND expires_at > business_now())
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, role = excluded.role, expires_at = excluded.expires_at,
        taken_at = CASE WHEN lease.holder = excluded.holder THEN lease.taken_at ELSE business_now() END
      WHERE lease.holder = excluded.holder OR lease.expires_at <= business_now()
      RETURNING 1 AS held`,
    ),
  )
  return rows.length > 0
}

/** Gives the lease back, so that another process goes on at once. */
export const releaseLease = (pool: Pool, holder: string) =>
  execute(
    pool,
    query(
      'release-alert-lease',
      sql`DELETE FROM alert_lease WHERE name = 'alerts' AND holder = ${holder}::uuid`,
    ),
  )

/** What may be known of a channel: everything but its address and its secret. */
type ChannelCard = { id: string; kind: string; host: string }

/**
 * Says which channels there are, in the order of the settings. One that comes back after having been away begins anew:
 * it is told what is open, not what was over before.
 */
export const registerChannels = (pool: Pool, channels: readonly ChannelCard[]) =>
  execute(
    pool,
    query(
      'register-alert-channels',
      sql`
      WITH gone AS (
        UPDATE alert_channels SET configured = false
        WHERE configured AND id <> ALL (${channels.map(({ id }) => id)}::text[]))
      INSERT INTO alert_channels AS known (id, kind, host, position)
      SELECT * FROM unnest(${channels.map(({ id }) => id)}::text[], ${channels.map(({ kind }) => kind)}::text[],
        ${channels.map(({ host }) => host)}::text[], ${channels.map((_, index) => index)}::int[])
      ON CONFLICT (id) DO UPDATE SET position = excluded.position, configured = true,
        since = CASE WHEN known.configured THEN known.since ELSE business_now() END`,
    ),
  )
