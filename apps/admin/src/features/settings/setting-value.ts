import {
  formatFen,
  type SettingKey,
  StoredMessageTemplate,
  salePlatforms,
  settingShapes,
} from '@meridian/contracts'
import { useLocale, useMessages, useTranslations } from 'next-intl'
import { formatList } from '../../format.ts'
import type { Change } from '../../ui/change-table.tsx'
import type { Part } from '../../ui/description-list.tsx'
import { useBoundParts } from '../program-bounds/program-bounds.tsx'
import { useFeatureName } from '../subscriptions/subscription-words.tsx'

type Words = Readonly<Record<string, string>>

/** A value of a setting as a person reads it, or one part of it: most settings have a single one. */
export type SettingPart = Part & { isWhole?: true }

/** Numbers that count something. */
const counted = [
  'order_ttl_minutes',
  'trial_days_on_first_binding',
  'max_devices_per_user',
  'reports_per_user',
] as const

function useSaleParts(): (value: unknown) => SettingPart[] | null {
  const t = useTranslations('settings')
  return (value) => {
    const policy = settingShapes.sale_policy.safeParse(value).data
    if (!policy) return null
    return salePlatforms.map((platform) => {
      const { channel, message } = policy[platform]
      const sold = t(`saleChannels.${channel}`)
      const text = channel === 'none' && message ? t('saleRefused', { sold, message }) : sold
      return { key: platform, name: t(`platforms.${platform}`), text }
    })
  }
}

/** A template as a person reads it: which one, what its fields say, which page it opens. */
function useTemplateText(): (stored: unknown) => string {
  const t = useTranslations('settings.template')
  const language = useLocale()
  return (stored) => {
    const template = StoredMessageTemplate.safeParse(stored).data
    if (!template) return typeof stored === 'string' ? stored : JSON.stringify(stored)
    const { id, fields, page } = template
    const said = Object.entries(fields).map(([name, value]) => `${name} = ${t(`values.${value}`)}`)
    return [id, formatList(said, language), ...(page ? [t('opens', { page })] : [])].join(' · ')
  }
}

function useTemplateParts(): (value: unknown) => SettingPart[] | null {
  const purposes: Words = useMessages().settings.purposes
  const text = useTemplateText()
  return (value) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, stored]) => ({
          key,
          name: purposes[key] ?? key,
          text: text(stored),
        }))
      : null
}

/** A value that is one text. */
function useSettingText(): (key: SettingKey, value: unknown) => string {
  const t = useTranslations('settings')
  const choices: Words = useMessages().settings.choices
  const featureName = useFeatureName()
  const language = useLocale()
  const listed = (texts: readonly string[]) => formatList(texts, language) || t('nothing')
  return (key, value) => {
    if (key === 'refund_approval_threshold_fen' || key === 'price_floor_fen_per_day')
      return formatFen(Number(value))
    const unit = counted.find((name) => name === key)
    if (unit && typeof value === 'number') return t(`units.${unit}`, { count: value })
    if (key === 'expiry_reminder_days' && Array.isArray(value))
      return listed(value.map((days) => t('units.expiry_reminder_days', { count: Number(days) })))
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    if (key === 'free_features' || key === 'granted_features')
      return listed((settingShapes[key].safeParse(value).data ?? []).map(featureName))
    if (typeof value === 'object') return JSON.stringify(value)
    return choices[String(value)] ?? (String(value) || t('nothing'))
  }
}

/** The parts of a setting's value; a value of a shape of old is shown as it is kept. */
export function useSettingParts(): (key: SettingKey, value: unknown) => SettingPart[] {
  const t = useTranslations('settings')
  const saleParts = useSaleParts()
  const boundParts = useBoundParts()
  const templateParts = useTemplateParts()
  const text = useSettingText()
  const several = (key: SettingKey, value: unknown) => {
    if (key === 'sale_policy') return saleParts(value)
    if (key === 'program_bounds') return boundParts(value)
    return key === 'message_templates' ? templateParts(value) : null
  }
  return (key, value) =>
    several(key, value) ?? [{ key, name: t(`names.${key}`), text: text(key, value), isWhole: true }]
}

/** What becomes what, part by part; of a list only what comes and what goes. */
export function useSettingChanges(): (key: SettingKey, before: unknown, after: unknown) => Change[] {
  const partsOf = useSettingParts()
  const language = useLocale()
  const without = (part: SettingPart | undefined, other: SettingPart | undefined): string | null => {
    const { items } = other ?? {}
    if (!part?.items || !items) return part?.text ?? null
    return formatList(
      part.items.filter((item) => !items.includes(item)),
      language,
    )
  }
  return (key, before, after) => {
    const [was, is] = [partsOf(key, before), partsOf(key, after)]
    const partIn = (parts: readonly SettingPart[], part: string) => parts.find((one) => one.key === part)
    const names = new Map([...was, ...is].map((part) => [part.key, part.name]))
    return [...names]
      .map(([part, name]) => ({ part, name, old: partIn(was, part), fresh: partIn(is, part) }))
      .filter(({ old, fresh }) => old?.text !== fresh?.text)
      .map(({ part, name, old, fresh }) => ({
        key: part,
        name,
        before: without(old, fresh),
        after: without(fresh, old),
      }))
  }
}
