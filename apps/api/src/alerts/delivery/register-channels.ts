import { execute, type Pool, Prisma, query } from '@meridian/db'

const { sql } = Prisma

/** What may be known of a channel: everything but its address and its secret. */
export type ChannelCard = { id: string; kind: string; host: string }

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
