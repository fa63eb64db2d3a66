import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { lastDays } from '../../format.ts'
import { useToday } from '../../ui/clock.tsx'
import bar from '../../ui/filter-bar.module.css'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

type Days = { from: string | null; to: string | null }

/** From which day to which; both inclusive. */
export function NotificationDates({ params, change }: { params: Days; change: (days: Days) => void }) {
  const t = useTranslations('notifications')
  const today = useToday()
  return (
    <DayRange
      className={bar['dates'] ?? ''}
      labels={{ range: t('dates'), from: t('from'), to: t('to') }}
      from={params.from}
      to={params.to}
      presets={[
        { label: t('ranges.lastWeek'), ...lastDays(today, 6) },
        { label: t('ranges.lastMonth'), ...lastDays(today, 29) },
      ]}
      onChange={change}
    />
  )
}
