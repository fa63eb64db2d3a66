import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

/** Alerts that were resolved long ago, at most so many at once. */
export const purgeAlertsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alerts WHERE id IN (
    SELECT id FROM alerts WHERE opened_at < ${keptSinceSql('alerts')} AND resolved_at < ${keptSinceSql('alerts')}
    ORDER BY opened_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Old messages to channels and tests that nobody sent in time, at most so many at once. */
export const purgeMessagesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alert_messages WHERE id IN (
    SELECT id FROM alert_messages WHERE created_at < ${keptSinceSql('alert_messages')}
      OR (state = 'waiting' AND created_at < ${keptSinceSql('waiting_alert_messages')})
    ORDER BY created_at, id LIMIT ${limit})
  RETURNING 1 AS gone`
