import { z } from 'zod'
import { pageFields } from '../paging.ts'

/** How a channel stands: it fails since its last success; it took the last message; nothing was sent yet. */
export const AlertChannelState = z.enum(['failing', 'well', 'unproven'])

export const AlertChannelKind = z.enum(['wecom', 'dingtalk', 'feishu', 'webhook', 'heartbeat'])

/** A channel that alerts are told to, or the address of the dead man's switch. Its address beyond the host is a secret. */
export const AlertChannelRow = z.object({
  id: z.string(),
  kind: AlertChannelKind,
  host: z.string(),
  state: AlertChannelState,
  lastSuccessAt: z.date().nullable(),
  lastFailureAt: z.date().nullable(),
  lastError: z.string().nullable(),
  /** When it is tried again; null unless it fails. */
  nextAttemptAt: z.date().nullable(),
  /** Alerts whose opening or end it has not been told: exact up to 500. */
  waiting: z.int(),
  /** A test that somebody asked for has not been sent yet. */
  testWaits: z.boolean(),
})
export type AlertChannelRow = z.infer<typeof AlertChannelRow>

/** The channels, and the process that sends to them; null while none does. */
export const AlertChannelOverview = z.object({
  channels: z.array(AlertChannelRow),
  sender: z.object({ role: z.string(), since: z.date() }).nullable(),
  readAt: z.date(),
})
export type AlertChannelOverview = z.infer<typeof AlertChannelOverview>

export const AlertChannelReference = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) })

export const AlertMessageListQuery = z.object(pageFields)
export type AlertMessageListQuery = z.infer<typeof AlertMessageListQuery>

/** A message that was sent, or a test with its end. `alertKind` and `subject` where it is about one alert. */
export const AlertMessageRow = z.object({
  id: z.string(),
  channelKind: AlertChannelKind,
  host: z.string(),
  kind: z.enum(['opened', 'over', 'bundle', 'test']),
  state: z.enum(['waiting', 'sent', 'failed']),
  alertKind: z.string().nullable(),
  subject: z.string().nullable(),
  /** How many alerts it tells. */
  alerts: z.int(),
  error: z.string().nullable(),
  createdAt: z.date(),
})
export type AlertMessageRow = z.infer<typeof AlertMessageRow>
