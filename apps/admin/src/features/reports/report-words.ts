import { reportColumn, reportMeasure, reportMember, reportValue } from '@meridian/contracts'
import { useLocale } from 'next-intl'
import type { Series } from './read-series.ts'

/** What members and values of a report are called: wearables send keys, people read names and units. */
export function useReportWords() {
  const language = useLocale() === 'en' ? 'en' : 'zh'
  return {
    member: (name: string) => reportMember(name, language),
    column: (name: string) => reportColumn(name, language),
    value: (name: string, value: unknown) => reportValue(name, value, language),
    measure: (name: string, value: unknown) => reportMeasure(name, value, language),
    /** A curve: `左 · 肌电（µV）`. */
    series: ({ member, group }: Series) =>
      [group === null ? '' : reportValue(group.member, group.value, language), reportColumn(member, language)]
        .filter(Boolean)
        .join(' · '),
  }
}
