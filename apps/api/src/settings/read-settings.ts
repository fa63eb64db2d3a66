import { Prisma } from '@meridian/db'

export type SettingKey =
  | 'order_ttl_minutes'
  | 'late_payment_policy'
  | 'refund_approval_threshold_fen'
  | 'price_floor_fen_per_day'
  | 'program_bounds'
  | 'sale_policy'
  | 'free_features'
  | 'granted_features'
  | 'reports_per_user'
  | 'upload_shipping_info'
  | 'max_devices_per_user'
  | 'device_registration'
  | 'trial_days_on_first_binding'
  | 'message_templates'
  | 'expiry_reminder_days'

/** An SQL expression for one setting, so that a story reads it in the statement it runs anyway. */
export const settingSql = (key: SettingKey): Prisma.Sql =>
  Prisma.sql`(SELECT value FROM settings WHERE key = ${key})`
