import type { AlertKind } from '@meridian/contracts'
import { type Part, Prisma, part } from '@meridian/db'

/**
 * The one writer of new alerts, as an insert: an open alert of the same kind and subject is counted instead. Whoever
 * holds the alert lease finds new ones by itself. Answers `opened`: whether this made a new one.
 */
export const raiseAlertSql = (kind: AlertKind, subject: string, detail: unknown): Prisma.Sql => Prisma.sql`
  INSERT INTO alerts (kind, subject, detail) VALUES (${kind}, ${subject}, ${JSON.stringify(detail)}::jsonb)
  ON CONFLICT (kind, subject) WHERE resolved_at IS NULL
  DO UPDATE SET times = alerts.times + 1, last_at = business_now()
  RETURNING xmax = 0 AS opened`

/** The same as the part `alert` of a statement. */
export const raiseAlertPart = (kind: AlertKind, subject: string, detail: unknown): Part<'alert', never> =>
  part('alert', [], raiseAlertSql(kind, subject, detail))
