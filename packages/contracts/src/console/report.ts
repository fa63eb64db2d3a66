import { z } from 'zod'
import { reportSorts } from '../choices.ts'
import { ReportKind } from '../rest/report.ts'

export const ReportSort = z.enum(reportSorts)
export type ReportSort = z.infer<typeof ReportSort>

/** The filters of the report list; all of them live in the URL of the page. */
export const ReportFilter = z.object({
  kind: ReportKind.optional(),
  /** Inclusive and exclusive bounds of the time the report started. */
  from: z.date().optional(),
  to: z.date().optional(),
  /** A user id or a serial number, whole. */
  search: z.string().trim().min(1).max(64).optional(),
})
export type ReportFilter = z.infer<typeof ReportFilter>

export const ReportListQuery = ReportFilter.extend({
  sort: ReportSort.default('newest'),
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(512).optional(),
})
export type ReportListQuery = z.infer<typeof ReportListQuery>

export const ReportRow = z.object({
  id: z.uuid(),
  kind: ReportKind,
  userId: z.uuid(),
  serialNumber: z.string().nullable(),
  programCode: z.string().nullable(),
  startedAt: z.date(),
  endedAt: z.date(),
  score: z.number().nullable(),
  createdAt: z.date(),
})
export type ReportRow = z.infer<typeof ReportRow>

export const ReportPage = z.object({
  items: z.array(ReportRow),
  nextCursor: z.string().nullable(),
  previousCursor: z.string().nullable(),
})
export type ReportPage = z.infer<typeof ReportPage>

/** Exact up to 10,000 rows, `more` beyond. */
export const ReportTotals = z.object({ count: z.int(), more: z.boolean() })
export type ReportTotals = z.infer<typeof ReportTotals>

const Json = z.record(z.string(), z.unknown())

export const ReportDetail = ReportRow.extend({
  clientReportId: z.string(),
  summary: Json,
  measurements: z.array(Json),
})
export type ReportDetail = z.infer<typeof ReportDetail>

export const ReportReference = z.object({ id: z.uuid() })
