import { type DatePreset, type DaySpan, daysOfPreset } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useToday } from '../../ui/date-time.tsx'

/** The named spans of days as a choice of dates offers them. */
export function useDatePresets(presets: readonly DatePreset[]): ({ label: string } & DaySpan)[] {
  const t = useTranslations('ui.datePresets')
  const today = useToday()
  return presets.map((preset) => ({ label: t(preset), ...daysOfPreset(preset, today) }))
}
