import { z } from 'zod'
import { OutTradeNo } from '../rest/subscription.ts'

/** An order as the one who decides saw it: parked, for this reason. */
export const ParkedOrder = z.object({ outTradeNo: OutTradeNo, parkReason: z.string().min(1).max(64) })
export type ParkedOrder = z.infer<typeof ParkedOrder>

/** What an operator may do with a parked order: let it go on, give the days that were paid for, leave it as it is. */
export const ParkedDecision = z.enum(['release', 'activate', 'leave'])
export type ParkedDecision = z.infer<typeof ParkedDecision>

/** What becomes of a late payment: its days, or the money back. */
export const LateDecision = z.enum(['activate', 'refund'])
export type LateDecision = z.infer<typeof LateDecision>

/** Why somebody decided as they did; kept on the timeline and in the audit log. */
export const Note = z.string().trim().min(2).max(500)

export const DecideParked = ParkedOrder.extend({ decision: ParkedDecision, note: Note })
export type DecideParked = z.infer<typeof DecideParked>

export const DecideLate = ParkedOrder.extend({ decision: LateDecision, note: Note })
export type DecideLate = z.infer<typeof DecideLate>
