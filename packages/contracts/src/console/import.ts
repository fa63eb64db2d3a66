import { z } from 'zod'
import { ImportKind, ImportReport, ImportState } from '../rest/import.ts'

/** Why a line keeps an import from being taken back. */
export const UndoObstacle = z.object({
  line: z.int(),
  why: z.enum(['later_ledger_entry', 'refunded', 'binding_changed']),
})
export type UndoObstacle = z.infer<typeof UndoObstacle>

/** An import as the console lists it. */
export const ImportRow = z.object({
  id: z.uuid(),
  kind: ImportKind,
  dryRun: z.boolean(),
  state: ImportState,
  fileName: z.string().nullable(),
  lines: z.int(),
  written: z.int(),
  users: z.int(),
  days: z.number(),
  fen: z.number(),
  faultCount: z.int(),
  /** The operator's e-mail or the name of the key; null for the command. */
  broughtBy: z.string().nullable(),
  createdAt: z.date(),
  endedAt: z.date().nullable(),
  isUndoAsked: z.boolean(),
  obstacles: z.array(UndoObstacle),
})
export type ImportRow = z.infer<typeof ImportRow>

/** The same with what is wrong with its file, in the language of whoever asks. */
export const ImportDetail = ImportRow.extend({ faults: ImportReport.shape.faults })
export type ImportDetail = z.infer<typeof ImportDetail>

/** What the console's own address for files takes beside the file. */
export const ImportUpload = z.object({
  kind: ImportKind,
  dryRun: z.enum(['true', 'false']).transform((text) => text === 'true'),
  fileName: z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u),
})
