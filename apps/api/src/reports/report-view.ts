import { ReportKind } from '@meridian/contracts'
import { column, json, nullable, oneOf, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { mayUseSql } from '../subscriptions/may-use.ts'

const Json = z.record(z.string(), z.unknown())

/** Everything of a report but its measurements. */
export const reportColumns = {
  id: column.text,
  clientReportId: column.text,
  kind: oneOf(ReportKind.options),
  serialNumber: nullable(column.text),
  startedAt: column.instant,
  endedAt: column.instant,
  score: nullable(column.number),
  summary: json(Json),
  createdAt: column.instant,
  locked: column.boolean,
}
export const reportViewColumns = { ...reportColumns, measurements: nullable(json(Json.array())) }

/** A report as its owner may see it: without its measurements where `locked`. */
export type ReportView = RowOf<typeof reportViewColumns>

/** In a list a longer summary is given as {}: the report itself has it. */
const LISTED_SUMMARY_BYTES = 16 * 1024

/** A summary as a list carries it. One that is too long as it lies is not even unpacked. */
export const listedSummarySql = Prisma.sql`
  CASE WHEN pg_column_size(summary) > ${LISTED_SUMMARY_BYTES}::int THEN '{}'::jsonb
    WHEN octet_length(summary::text) > ${LISTED_SUMMARY_BYTES}::int THEN '{}'::jsonb ELSE summary END`

/** Everything of a report but its measurements. */
export const reportColumnsSql = (userId: string, summary = Prisma.sql`summary`): Prisma.Sql => Prisma.sql`
  id, client_report_id AS "clientReportId", kind, serial_number AS "serialNumber", started_at AS "startedAt",
  ended_at AS "endedAt", score, ${summary} AS summary, created_at AS "createdAt", NOT ${mayUseSql(userId, 'report_detail')} AS locked`

/** The measurements, for who may see them. */
export const measurementsColumnSql = (userId: string): Prisma.Sql => Prisma.sql`
  CASE WHEN ${mayUseSql(userId, 'report_detail')} THEN measurements END AS measurements`
