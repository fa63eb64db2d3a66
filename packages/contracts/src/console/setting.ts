import { z } from 'zod'
import { saleChannels } from '../choices.ts'
import { FeatureList, knownFeatures } from '../feature.ts'
import { Fen } from '../money.ts'
import { defaultProgramBounds, ProgramBounds } from './program-bounds.ts'

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

export const SaleChannel = z.enum(saleChannels)
export type SaleChannel = z.infer<typeof SaleChannel>

/**
 * By which channel a platform sells plans. `allowed` stays beside it for one release: the one before reads nothing else,
 * and sells by JSAPI alone.
 */
const SaleRule = z
  .strictObject({
    channel: SaleChannel.optional(),
    allowed: z.boolean().optional(),
    /** Shown to whom it is not allowed. */
    message: z.string().trim().min(1).max(200).nullable(),
  })
  .refine(({ channel, allowed }) => channel !== undefined || allowed !== undefined)
  .transform(({ channel, allowed = false, message }) => {
    const sold = channel ?? (allowed ? 'jsapi' : 'none')
    return { channel: sold, allowed: sold === 'jsapi', message }
  })

const days = z
  .array(z.int().min(1).max(60))
  .max(5)
  .refine((list) => new Set(list).size === list.length, 'must not repeat a day')

/** Every server setting: its type and its bounds. */
export const settingShapes = {
  order_ttl_minutes: z.int().min(5).max(120),
  late_payment_policy: z.enum(['activate', 'refund', 'ask']),
  refund_approval_threshold_fen: Fen.max(100_000_000),
  /** What a day of any plan costs at least. */
  price_floor_fen_per_day: Fen.max(1_000_000),
  sale_policy: z.strictObject({ ios: SaleRule, android: SaleRule, other: SaleRule }),
  /** What Apple is told when it asks about a refund: by what was used, always to give the money back, or never. */
  ios_refund_opinion: z.enum(['by_use', 'allow', 'refuse']),
  free_features: FeatureList,
  granted_features: FeatureList,
  trial_days_on_first_binding: z.int().min(0).max(365),
  max_devices_per_user: z.int().min(1).max(100),
  device_registration: z.enum(['open', 'inventory_only']),
  reports_per_user: z.int().min(0).max(100_000),
  upload_shipping_info: z.boolean(),
  /** What a message is about → the platform's template of it. */
  message_templates: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), StoredMessageTemplate),
  expiry_reminder_days: days,
  /** Whether the alarm channels are told every Monday what the week before came to. */
  weekly_digest: z.boolean(),
  program_bounds: ProgramBounds,
  support_contact: z.string().trim().max(200),
  /** Who issues receipts, and its taxpayer id. */
  company_name: z.string().trim().max(100),
  company_tax_id: z.string().trim().max(30),
} as const

export type SettingKey = keyof typeof settingShapes
export type SettingValue<Key extends SettingKey> = z.infer<(typeof settingShapes)[Key]>

const saleAllowed: SettingValue<'sale_policy'>['ios'] = { channel: 'jsapi', allowed: true, message: null }

/** What the settings of a new installation are. */
export const firstSettings: { readonly [Key in SettingKey]: SettingValue<Key> } = {
  order_ttl_minutes: 30,
  late_payment_policy: 'activate',
  refund_approval_threshold_fen: 20_000,
  price_floor_fen_per_day: 10,
  sale_policy: { ios: saleAllowed, android: saleAllowed, other: saleAllowed },
  ios_refund_opinion: 'by_use',
  free_features: [],
  granted_features: [...knownFeatures],
  trial_days_on_first_binding: 0,
  max_devices_per_user: 5,
  device_registration: 'open',
  reports_per_user: 2000,
  upload_shipping_info: false,
  message_templates: {},
  expiry_reminder_days: [7, 1],
  weekly_digest: true,
  program_bounds: defaultProgramBounds,
  support_contact: '',
  company_name: '',
  company_tax_id: '',
}

/** What decides when a second person is needed, and so needs a second owner itself. */
export const guardedSettings = [
  'late_payment_policy',
  'refund_approval_threshold_fen',
  'price_floor_fen_per_day',
  'program_bounds',
] as const satisfies readonly SettingKey[]
export const isGuardedSetting = (key: SettingKey): boolean => guardedSettings.some((one) => one === key)

/** In the order of the page. */
export const settingKeys = Object.keys(settingShapes).filter((key): key is SettingKey => key in settingShapes)
export const SettingKey = z.enum(settingKeys)

export const SettingRow = z.object({
  key: SettingKey,
  value: z.json(),
  version: z.int(),
  updatedAt: z.date(),
  updatedBy: z.string().nullable(),
})
export type SettingRow = z.infer<typeof SettingRow>

export const SettingChangeRow = z.object({
  version: z.int(),
  before: z.json(),
  after: z.json(),
  operatorEmail: z.string().nullable(),
  changedAt: z.date(),
})
export type SettingChangeRow = z.infer<typeof SettingChangeRow>

export const SettingReference = z.object({ key: SettingKey })
/** `version` is the one the editor saw. */
export const SettingEdit = z.object({ key: SettingKey, version: z.int(), value: z.json() })
export type SettingEdit = z.infer<typeof SettingEdit>
