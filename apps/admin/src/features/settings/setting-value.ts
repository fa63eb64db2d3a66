import { formatFen, type SettingKey, settingShapes } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { useFeatureName } from '../subscriptions/use-feature-name.ts'
import { templateText } from './template-lines.ts'

type Words = Readonly<Record<string, string>>

/** Numbers that count something. */
const counted = [
  'order_ttl_minutes',
  'trial_days_on_first_binding',
  'max_devices_per_user',
  'reports_per_user',
] as const

/** A value of a setting as a person reads it. */
export function useSettingText(): (key: SettingKey, value: unknown) => string {
  const t = useTranslations('settings')
  const choices: Words = useMessages().settings.choices
  const featureName = useFeatureName()
  const listed = (texts: readonly string[]) => texts.join(', ') || t('nothing')
  const sale = (value: unknown): string => {
    const policy = settingShapes.sale_policy.safeParse(value).data
    if (!policy) return JSON.stringify(value)
    return (['ios', 'android', 'other'] as const)
      .map((platform) => {
        const { allowed, message } = policy[platform]
        const words = allowed ? t('saleAllowed') : t('saleRefused', { message: message ?? '' })
        return `${t(`platforms.${platform}`)}: ${words}`
      })
      .join(' · ')
  }
  return (key, value) => {
    if (key === 'sale_policy') return sale(value)
    if (key === 'program_bounds') return JSON.stringify(value)
    if (key === 'refund_approval_threshold_fen' || key === 'price_floor_fen_per_day')
      return formatFen(Number(value))
    const unit = counted.find((name) => name === key)
    if (unit && typeof value === 'number') return t(`units.${unit}`, { count: value })
    if (key === 'expiry_reminder_days' && Array.isArray(value))
      return listed(value.map((days) => t('units.expiry_reminder_days', { count: Number(days) })))
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    if (key === 'free_features' || key === 'granted_features')
      return listed((settingShapes[key].safeParse(value).data ?? []).map(featureName))
    if (Array.isArray(value)) return listed(value.map(String))
    if (typeof value === 'object' && value !== null)
      return listed(Object.entries(value).map(([name, template]) => `${name} = ${templateText(template)}`))
    return choices[String(value)] ?? (String(value) || t('nothing'))
  }
}
