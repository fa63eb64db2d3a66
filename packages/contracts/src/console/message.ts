import { z } from 'zod'

/** What a field of a message may say. `notice` is a sentence about the end of the days. */
export const MessageValue = z.enum(['plan', 'expires_at', 'remaining_days', 'notice'])
export type MessageValue = z.infer<typeof MessageValue>

/** Which types of field can hold a value at all (subscribe messages, value limits). */
const holders: Readonly<Record<MessageValue, readonly string[]>> = {
  plan: ['thing', 'phrase', 'name'],
  expires_at: ['time', 'date', 'thing', 'character_string'],
  remaining_days: ['number', 'thing', 'character_string'],
  notice: ['thing'],
}

/** The type in the name of a field: `thing4` is a `thing`. */
export const fieldTypeOf = (field: string): string => field.replace(/\d+$/, '')

const TemplateId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const FieldName = z.string().regex(/^[a-z_]{1,24}\d{1,3}$/)

/** A template of the platform: its fields by name and what each says, and the page that a press opens. */
export const MessageTemplate = z.strictObject({
  id: TemplateId,
  fields: z
    .record(FieldName, MessageValue)
    .refine((fields) => Object.keys(fields).length > 0 && Object.keys(fields).length <= 10)
    .refine((fields) =>
      Object.entries(fields).every(([field, value]) => holders[value].includes(fieldTypeOf(field))),
    ),
  /** A path inside the mini-program, without a slash before it. */
  page: z
    .string()
    .regex(/^[A-Za-z0-9_-][A-Za-z0-9_/.-]*(\?[^\s#]*)?$/)
    .max(256)
    .optional(),
})
export type MessageTemplate = z.infer<typeof MessageTemplate>

const formerFields = { thing1: 'plan', time2: 'expires_at', thing3: 'notice' } as const

/** A template as it is stored; an id alone is the older form, whose fields were always the same. */
export const StoredMessageTemplate = z.union([
  MessageTemplate,
  TemplateId.transform((id): MessageTemplate => ({ id, fields: { ...formerFields } })),
])

export const MessageTest = z.object({ userId: z.uuid() })
export type MessageTest = z.infer<typeof MessageTest>

/** What became of a test: without a template, or without a permission of the user, nothing is sent. */
export const MessageTestResult = z.object({
  outcome: z.enum(['sent', 'no_template', 'no_permission', 'failed']),
  /** The platform's number, or our word for why it was not sent. */
  failure: z.string().nullable(),
})
export type MessageTestResult = z.infer<typeof MessageTestResult>

/** A message that was tried: sent where there is no failure. */
export const MessageAttempt = z.object({
  id: z.string(),
  kind: z.enum(['reminder', 'test']),
  failure: z.string().nullable(),
  at: z.date(),
})
export type MessageAttempt = z.infer<typeof MessageAttempt>
