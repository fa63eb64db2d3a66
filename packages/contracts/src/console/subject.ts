import { z } from 'zod'

/** The kinds of things that people write about, pin, or are asked to look after. */
export const SubjectKind = z.enum(['order', 'refund', 'user', 'device', 'difference', 'alert'])
export type SubjectKind = z.infer<typeof SubjectKind>

/**
 * One thing of the console by what its page is addressed with: an order's or refund's number, a user id, a serial
 * number, the row id of a difference or an alert.
 */
export const SubjectReference = z.object({ kind: SubjectKind, id: z.string().trim().min(1).max(64) })
export type SubjectReference = z.infer<typeof SubjectReference>
