import {
  type AlertChannelOverview,
  AlertChannelRow,
  type AlertMessageListQuery,
  AlertMessageRow,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../../audit/write-audit.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { byAge, instantColumn, serialColumn } from '../../platform/paging/keyset.ts'
import { readPage } from '../../platform/paging/read-page.ts'
import { columnsOf } from '../../platform/sql/columns-of.ts'
import { countUnsent } from './unsent-alerts.ts'

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

const { newest } = byAge({
  key: instantColumn(sql`message.created_at`),
  id: serialColumn(sql`message.id`),
})

/** What was sent to every channel, newest first; also to channels that are gone. */
export const listMessages = (
  pool: Pool,
  asked: AlertMessageListQuery,
): Promise<TwoWayPage<AlertMessageRow>> =>
  readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(AlertMessageRow) },
    ({ position, page }) => sql`
      SELECT message.id::text, channel.kind AS "channelKind", channel.host, message.kind, message.state,
        alert.kind AS "alertKind", alert.subject, message.alerts, message.error, message.created_at AS "createdAt",
        ${position}
      FROM alert_messages message JOIN alert_channels channel ON channel.id = message.channel_id
      LEFT JOIN alerts alert ON alert.id = message.alert_id
      WHERE ${page}`,
  )

const cardColumns = { kind: column.text, host: column.text }

/**
 * An operator asks for a test message by a channel. It takes the road of every alert: whoever holds the lease sends it.
 * @throws DomainError not_found when there is no such channel; changed_meanwhile while a test of it waits
 */
export async function askForTest(
  pool: Pool,
  { channelId, operatorId, from }: Actor & { channelId: string },
): Promise<void> {
  const [channel] = await execute(
    pool,
    query(
      'find-alert-channel',
      sql`SELECT kind, host FROM alert_channels WHERE id = ${channelId} AND configured AND kind <> 'heartbeat'`,
      cardColumns,
    ),
  )
  if (!channel) throw new DomainError('not_found')
  const entry = {
    operatorId,
    action: 'alert_channel.test',
    subject: { type: 'alert_channel', id: channelId },
    after: channel,
  }
  const asked = await execute(
    pool,
    statement({
      name: 'ask-for-alert-test',
      parts: [
        part(
          'asked',
          [],
          sql`
            INSERT INTO alert_messages (channel_id, kind, state) VALUES (${channelId}, 'test', 'waiting')
            ON CONFLICT (channel_id) WHERE state = 'waiting' DO NOTHING RETURNING id`,
        ),
        part('audited', ['asked'], appendAuditSql(sql`asked`, entry, from)),
      ],
      select: reading(['asked'], sql`SELECT id FROM asked`),
    }),
  )
  if (asked.length === 0) throw new DomainError('changed_meanwhile')
}
