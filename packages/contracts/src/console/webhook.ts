import { z } from 'zod'
import { eventTypes, WEBHOOK_TEST_TYPE } from '../event-types.ts'
import { pageFields, SerialId } from '../paging.ts'
import { EventType } from '../rest/event.ts'
import { isStorableText } from '../storable.ts'
import { lineOf } from '../text.ts'

/** How many endpoints there may be: each is one system of the company. */
export const MOST_WEBHOOK_ENDPOINTS = 50

/** Sent to, failing at each try, or switched off: by an operator, by an answer 410, by five days of failures. */
export const WebhookState = z.enum(['active', 'failing', 'off', 'gone', 'failed'])
export type WebhookState = z.infer<typeof WebhookState>

export const WebhookEndpointRow = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  /** Empty: all types. */
  types: z.array(EventType),
  state: WebhookState,
  /** Deliveries on their way. */
  waiting: z.int(),
  failingSince: z.date().nullable(),
  /** To the minute. */
  lastSuccessAt: z.date().nullable(),
  /** Until when the secret before the last rotation signs too; null where none does. */
  previousSecretUntil: z.date().nullable(),
  createdAt: z.date(),
  createdBy: z.string(),
})
export type WebhookEndpointRow = z.infer<typeof WebhookEndpointRow>

export const WebhookEndpointListQuery = z.object(pageFields)

const fields = {
  url: z.string().trim().min(8).max(2048).refine(isStorableText),
  description: lineOf(64).min(1).refine(isStorableText),
  types: z
    .array(EventType)
    .max(eventTypes.length)
    .refine((types) => new Set(types).size === types.length, {
      params: { zh: '类型不能重复', en: 'name each type once' },
    }),
}
export const NewWebhookEndpoint = z.object(fields)
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>
export const WebhookReference = z.object({ id: z.uuid() })
export const WebhookEdit = WebhookReference.extend(fields)
export type WebhookEdit = z.infer<typeof WebhookEdit>

export const WebhookSwitch = WebhookReference.extend({ enabled: z.boolean() })
export type WebhookSwitch = z.infer<typeof WebhookSwitch>

/** The one answer that holds the secret. */
export const WebhookSecret = z.object({ id: z.uuid(), secret: z.string() })
export type WebhookSecret = z.infer<typeof WebhookSecret>

export const DeliveryState = z.enum(['waiting', 'delivered', 'given_up'])
export type DeliveryState = z.infer<typeof DeliveryState>

export const DeliveryType = z.enum([...eventTypes, WEBHOOK_TEST_TYPE])
export type DeliveryType = z.infer<typeof DeliveryType>

export const WebhookDeliveryRow = z.object({
  id: SerialId,
  endpointId: z.uuid(),
  /** The `webhook-id`. */
  eventId: z.string(),
  /** An event's, or that of a test. */
  type: DeliveryType,
  /** What it is about, such as an order's number; empty for a test. */
  subject: z.string(),
  state: DeliveryState,
  /** Of the ten that there are; from 0 again after it was sent again by hand. */
  attempts: z.int(),
  nextAttemptAt: z.date().nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
  lastAttemptAt: z.date().nullable(),
  createdAt: z.date(),
})
export type WebhookDeliveryRow = z.infer<typeof WebhookDeliveryRow>

export const WebhookDeliveryListQuery = WebhookReference.extend({
  state: DeliveryState.optional(),
  type: DeliveryType.optional(),
  ...pageFields,
})
export type WebhookDeliveryListQuery = z.infer<typeof WebhookDeliveryListQuery>

export const WebhookDeliveryReference = z.object({ id: SerialId })
export type WebhookDeliveryReference = z.infer<typeof WebhookDeliveryReference>

/** One delivery with what is sent, the headers of the last try and the first 4 KiB of what came back. */
export const WebhookDeliveryDetail = WebhookDeliveryRow.extend({
  url: z.string(),
  body: z.string(),
  /** Null before the first try. */
  headers: z.record(z.string(), z.string()).nullable(),
  lastAnswer: z.string().nullable(),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>
