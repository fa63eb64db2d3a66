import { z } from 'zod'
import { exportFormats } from '../choices.ts'

/** A comma-separated text, or a workbook of Excel. */
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>
