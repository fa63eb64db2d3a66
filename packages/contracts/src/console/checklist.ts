import { z } from 'zod'

/**
 * The steps of a new installation in their order. `credentials` is of the real platform, `healed` of a sandbox, whose
 * notifications can be lost at a switch.
 */
export const ChecklistStepName = z.enum([
  'credentials',
  'plans',
  'user',
  'sale',
  'healed',
  'refund',
  'second_person',
  'alarms',
  'backup',
])
export type ChecklistStepName = z.infer<typeof ChecklistStepName>

/** `doneAt`: when the fact came about; null for what is configured, and for what is not done. */
const ChecklistStep = z.object({ name: ChecklistStepName, isDone: z.boolean(), doneAt: z.date().nullable() })
export type ChecklistStep = z.infer<typeof ChecklistStep>

export const Checklist = z.object({
  platform: z.enum(['official', 'sandbox', 'off']),
  /** The phone page of a sandbox. */
  phoneUrl: z.string().nullable(),
  steps: z.array(ChecklistStep),
  hiddenFor: z.enum(['nobody', 'me', 'everybody']),
  readAt: z.date(),
})
export type Checklist = z.infer<typeof Checklist>
