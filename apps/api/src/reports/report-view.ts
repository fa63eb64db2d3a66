import type { ReportKind } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { mayUse } from '../subscriptions/may-use.ts'

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

/** Everything of a report but its measurements. */
export const reportColumns = (userId: string): Prisma.Sql => Prisma.sql`
  id, client_report_id AS "clientReportId", kind, serial_number AS "serialNumber", started_at AS "startedAt",
  ended_at AS "endedAt", score, summary, created_at AS "createdAt", NOT ${mayUse(userId, 'report_detail')} AS locked`

/** The measurements, for who may see them. */
export const measurementsColumn = (userId: string): Prisma.Sql => Prisma.sql`
  CASE WHEN ${mayUse(userId, 'report_detail')} THEN measurements END AS measurements`
