import { z } from 'zod'
import { exportFormats } from '../choices.ts'

const Page = z.string().regex(/^[a-z][a-z-]{0,39}$/)

/** A list with its filters, under a name: for oneself or for everybody. */
export const SavedView = z.object({
  id: z.uuid(),
  name: z.string(),
  /** What stands behind the `?` of the list's address. */
  query: z.string(),
  everybody: z.boolean(),
  mine: z.boolean(),
  ownerEmail: z.string(),
})
export type SavedView = z.infer<typeof SavedView>

export const SavedViewPage = z.object({ page: Page })
export const SavedViewReference = z.object({ id: z.uuid() })
const Name = z.string().trim().min(1).max(40)
export const NewSavedView = z.object({
  page: Page,
  name: Name,
  query: z.string().max(2000),
  everybody: z.boolean(),
})
export type NewSavedView = z.infer<typeof NewSavedView>

/** One's own view under another name, or shared, or not shared any more. */
export const SavedViewEdit = SavedViewReference.extend({ name: Name, everybody: z.boolean() })
export type SavedViewEdit = z.infer<typeof SavedViewEdit>

/** How many of their own an operator may keep for one list. */
export const MOST_SAVED_VIEWS = 30

/** A comma-separated text, or a workbook of Excel. */
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>
