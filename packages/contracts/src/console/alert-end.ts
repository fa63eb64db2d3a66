import { z } from 'zod'

/** By which fact an alert was over without anybody saying so. */
export const HealedBy = z.enum([
  'condition_over',
  'order_paid',
  'order_refunded',
  'order_decided',
  'refund_succeeded',
  'refund_ended',
  'refund_accepted',
  'refund_replaced',
  'notification_processed',
  'bill_reconciled',
  'differences_resolved',
  'shipping_uploaded',
  'reminders_sent',
  'factor_confirmed',
  'delivery_confirmed',
])
export type HealedBy = z.infer<typeof HealedBy>

/** What the resolution of such an alert begins with; the word follows. */
export const healedPrefix = 'healed: '

/** How the end of such an alert is kept. */
export const healedResolution = (by: HealedBy): string => `${healedPrefix}${by}`

/** Which fact ended an alert; null where a person resolved it, or where it is open. */
export function healedByOf(resolution: string | null): HealedBy | null {
  if (!resolution?.startsWith(healedPrefix)) return null
  return HealedBy.safeParse(resolution.slice(healedPrefix.length)).data ?? null
}
