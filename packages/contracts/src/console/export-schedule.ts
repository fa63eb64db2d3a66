import { z } from 'zod'
import { exportTargets, MOST_KEPT_DAYS, type ScheduledKind, scheduledExports } from '../scheduled-exports.ts'
import { ExportState } from './export.ts'
import { ExportFormat } from './list.ts'

const kinds = Object.keys(scheduledExports).filter((kind): kind is ScheduledKind => kind in scheduledExports)
export const ScheduledExportKind = z.enum(kinds)

/** A bucket of a store with the interface of Amazon S3; the address and the key are asked for once and never shown. */
export const S3Target = z.object({
  /** Where the store is, without the bucket: `https://s3.example.com`. */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(200)
    .regex(/^[^?#]+$/),
  region: z.string().regex(/^[a-z0-9-]{1,40}$/),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  /** What stands before the name of the file. */
  prefix: z
    .string()
    .max(200)
    .regex(/^([\w-][\w.-]*\/)*$/),
  /** Whether the bucket stands in the path of the address, or in front of its host. */
  pathStyle: z.boolean(),
  accessKeyId: z.string().regex(/^[\w-]{3,128}$/),
})
export type S3Target = z.infer<typeof S3Target>

export const NewExportSchedule = z.object({
  kind: ScheduledExportKind,
  format: ExportFormat,
  /** The hour of Asia/Shanghai from which on the file of the day before is written. */
  hour: z.int().min(0).max(23),
  keepDays: z.int().min(1).max(MOST_KEPT_DAYS),
  s3: S3Target.extend({ secretAccessKey: z.string().regex(/^[\x21-\x7e]{8,256}$/) }).nullable(),
})
export type NewExportSchedule = z.infer<typeof NewExportSchedule>

/** How the file of a day is: written or not, and where it had to be sent, whether it is there. */
export const ScheduledRun = z.object({
  day: z.iso.date(),
  exportId: z.string().nullable(),
  state: ExportState.nullable(),
  delivered: z.boolean(),
  attempts: z.int(),
  error: z.string().nullable(),
})
export type ScheduledRun = z.infer<typeof ScheduledRun>

export const ExportScheduleRow = z.object({
  id: z.uuid(),
  kind: z.string(),
  format: ExportFormat,
  hour: z.int(),
  keepDays: z.int(),
  target: z.enum(exportTargets),
  /** `bucket/prefix` at the host, for whoever looks; null where it is kept for download alone. */
  place: z.string().nullable(),
  email: z.string(),
  /** Whom it belongs to was disabled or may not take lists out any more: it stands still. */
  ownerGone: z.boolean(),
  paused: z.boolean(),
  failingSince: z.date().nullable(),
  nextAt: z.date(),
  last: ScheduledRun.nullable(),
})
export type ExportScheduleRow = z.infer<typeof ExportScheduleRow>

export const ExportScheduleReference = z.object({ id: z.uuid() })
