import { type AlertChannelOverview, AlertChannelRow } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../../platform/sql/columns-of.ts'
import { countUnsent } from './find-unsent.ts'

const { sql } = Prisma

const channelColumns = columnsOf(AlertChannelRow.omit({ waiting: true }))

const channelsSql = sql`
  SELECT id, kind, host,
    CASE WHEN failures > 0 OR last_failure_at > coalesce(last_success_at, '-infinity') THEN 'failing'
      WHEN last_success_at IS NOT NULL THEN 'well' ELSE 'unproven' END AS state,
    last_success_at AS "lastSuccessAt", last_failure_at AS "lastFailureAt", last_error AS "lastError",
    CASE WHEN failures > 0 AND kind <> 'heartbeat' THEN next_attempt_at END AS "nextAttemptAt",
    EXISTS (SELECT FROM alert_messages WHERE channel_id = alert_channels.id AND state = 'waiting') AS "testWaits"
  FROM alert_channels WHERE configured ORDER BY kind = 'heartbeat', position, id`

const senderSql = sql`
  SELECT role, taken_at AS since FROM alert_lease WHERE name = 'alerts' AND expires_at > business_now()`

/** Every channel with how it stands, and who sends. */
export async function listChannels(pool: Pool, readAt: Date): Promise<AlertChannelOverview> {
  const [found, senders] = await Promise.all([
    execute(pool, query('list-alert-channels', channelsSql, channelColumns)),
    execute(pool, query('find-alert-sender', senderSql, { role: column.text, since: column.instant })),
  ])
  const channels = await Promise.all(
    found.map(async (channel) => ({
      ...channel,
      waiting: channel.kind === 'heartbeat' ? 0 : await countUnsent(pool, channel.id),
    })),
  )
  return { channels, sender: senders[0] ?? null, readAt }
}
