import { column, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../../audit/write-audit.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'

const { sql } = Prisma

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
