import type { ReportKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { mayUseSql } from '../subscriptions/may-use.ts'

type Json = Record<string, unknown>

/** A report as its owner may see it: without its measurements where `locked`. */
export type ReportView = {
  id: string
  clientReportId: string
  kind: ReportKind
  serialNumber: string | null
  startedAt: Date
  endedAt: Date
  score: number | null
  summary: Json
  measurements: Json[] | null
  locked: boolean
  createdAt: Date
}

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
