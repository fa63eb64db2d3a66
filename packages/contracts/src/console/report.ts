import { z } from 'zod'
import { period, searchText, timedPageFields } from '../paging.ts'
import { ReportKind } from '../rest/report.ts'

/** The filters of the report list; all of them live in the URL of the page. */
export const ReportFilter = z.object({
  kind: ReportKind.optional(),
  /** Inclusive and exclusive bounds of the time the report started. */
  ...period,
  /** A user id or a serial number, whole. */
  search: searchText,
})
export type ReportFilter = z.infer<typeof ReportFilter>

export const ReportListQuery = ReportFilter.extend(timedPageFields)
export type ReportListQuery = z.infer<typeof ReportListQuery>

export const ReportRow = z.object({
  id: z.uuid(),
  kind: ReportKind,
  userId: z.uuid(),
  /** Their nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  serialNumber: z.string().nullable(),
  programCode: z.string().nullable(),
  startedAt: z.date(),
  endedAt: z.date(),
  score: z.number().nullable(),
  createdAt: z.date(),
})
export type ReportRow = z.infer<typeof ReportRow>

const Json = z.record(z.string(), z.unknown())

export const ReportDetail = ReportRow.omit({ customer: true }).extend({
  clientReportId: z.string(),
  summary: Json,
  measurements: z.array(Json),
})
export type ReportDetail = z.infer<typeof ReportDetail>

export const ReportReference = z.object({ id: z.uuid() })
