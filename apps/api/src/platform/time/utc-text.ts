import { Prisma } from '@meridian/db'

/**
 * The text of an instant, as PostgreSQL casts it where the session speaks UTC: 2026-03-01 12:34:56.789+00. A plain cast
 * has the zone of whatever session a server or a pooler gives, and the text would differ from one to the next.
 */
export const utcTextSql = (instant: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`((${instant}) AT TIME ZONE 'UTC')::text || '+00'`

/** The same as it stands in JSON: 2026-03-01T12:34:56.789+00:00. */
export const utcJsonTextSql = (instant: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(to_jsonb((${instant}) AT TIME ZONE 'UTC') #>> '{}') || '+00:00'`
