import { z } from 'zod'
import { SerialId } from '../paging.ts'
import { ExportFormat } from './list.ts'
import { type ExportName, isExport } from './permissions.ts'

/** How many files may be waited for, by one operator and by all: a worker does four jobs at once, and half are left for payments. */
export const MOST_OPEN_EXPORTS = { operator: 1, everybody: 2 } as const

const List = z.custom<ExportName>((name) => typeof name === 'string' && isExport(name))

/** The list that is taken out, narrowed as it is shown. */
export const ExportLength = z.object({ list: List, query: z.record(z.string(), z.unknown()) })
export type ExportLength = z.infer<typeof ExportLength>

export const ExportStart = ExportLength.extend({ format: ExportFormat })
export type ExportStart = z.infer<typeof ExportStart>

export const ExportState = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
export type ExportState = z.infer<typeof ExportState>

/** A file that a worker writes, how far it is, and until when it is kept. */
export const ExportRow = z.object({
  id: SerialId,
  list: z.string(),
  format: ExportFormat,
  state: ExportState,
  /** Rows written so far, of about so many: exact up to 10,000, at least so many beyond. */
  rows: z.int(),
  expected: z.int(),
  bytes: z.int(),
  /** Whether it holds all rows; null until it is done. */
  whole: z.boolean().nullable(),
  email: z.string(),
  isOwn: z.boolean(),
  createdAt: z.date(),
  endedAt: z.date().nullable(),
  keptUntil: z.date(),
})
export type ExportRow = z.infer<typeof ExportRow>

/** How one of the caller's own files stands, for whoever waits for it on another page. */
export const ExportNews = ExportRow.pick({ id: true, list: true, format: true, state: true })
export type ExportNews = z.infer<typeof ExportNews>

export const ExportReference = z.object({ id: SerialId })
