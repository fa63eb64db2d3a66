import type { AlertKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { enqueued } from '../jobs/enqueue-job.ts'

const tellJob = Prisma.sql`json_build_object('alertId', alerts.id::text)`

/**
 * The one writer of new alerts, as an insert: an open alert of the same kind and subject is counted instead; a new one
 * is told outside by a job of the same commit. Answers `opened`: whether this made a new one.
 */
export const raisedAlert = (kind: AlertKind, subject: string, detail: unknown): Prisma.Sql => Prisma.sql`
  INSERT INTO alerts (kind, subject, detail) VALUES (${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb)
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
  DO UPDATE SET times = alerts.times + 1, last_at = now()
  RETURNING xmax = 0 AS opened,
    CASE WHEN xmax = 0 THEN ${enqueued('tell_alert', tellJob, { key: Prisma.sql`'tell:' || alerts.id` })} END AS told_by`
