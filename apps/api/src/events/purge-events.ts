import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/business-time.ts'

const { sql } = Prisma

/**
 * Events that were kept long enough, at most so many at once, and their deliveries with them. The newest stays, so that
 * whoever polls and has taken them all can go on from it. Events are numbered in the order they were kept.
 */
export const purgeEventsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM events WHERE id IN (
    SELECT id FROM events WHERE created_at < ${keptSinceSql('events')} AND id < (SELECT max(id) FROM events)
    ORDER BY created_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Tests of endpoints, which have no event. */
export const purgeTestsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM webhook_deliveries WHERE id IN (
    SELECT id FROM webhook_deliveries WHERE event_id IS NULL AND created_at < ${keptSinceSql('webhook_deliveries')}
    LIMIT ${limit})
  RETURNING 1 AS gone`

/** Lines of the outbox that events were made of, or that nobody was to be told of. */
export const purgeOutboxSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM outbox_lines WHERE id IN (
    SELECT id FROM outbox_lines WHERE created_at < ${keptSinceSql('outbox_lines')}
      AND id <= (SELECT line_id FROM watermarks WHERE name = 'told_others')
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`
