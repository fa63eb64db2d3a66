'use client'

import { type CalendarDate, parseDate } from '@internationalized/date'
import { useTranslations } from 'next-intl'
import { RangeCalendar } from 'react-aria-components/RangeCalendar'
import { CalendarMonth } from './calendar-month.tsx'
import styles from './calendar-panel.module.css'
import { useToday } from './clock.tsx'
import type { DayRangeProps, Days } from './day-range-props.ts'
import { NativeRange } from './native-range.tsx'
import popupStyles from './popup.module.css'
import { ReactAriaLocale } from './react-aria-locale.tsx'

type CalendarPanelProps = Omit<DayRangeProps, 'className'> & { close: () => void }

function Presets({ presets, choose }: { presets: DayRangeProps['presets']; choose: (days: Days) => void }) {
  const t = useTranslations('ui')
  return (
    <ul aria-label={t('presets')} className={styles['presets']}>
      {presets.map(({ label, ...days }) => (
        <li key={label}>
          <button type="button" className={popupStyles['entry']} onClick={() => choose(days)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}

const rangeOf = ({ from, to }: Days): { start: CalendarDate; end: CalendarDate } | null =>
  from === null || to === null ? null : { start: parseDate(from), end: parseDate(to) }

/** The usual ranges, two fields to type in, and two months to choose from; a whole range closes it. */
export function CalendarPanel({ close, onChange, ...range }: CalendarPanelProps) {
  const today = useToday()
  const { labels, presets, from, to } = range
  const choose = (days: Days) => {
    onChange(days)
    close()
  }
  return (
    <div className={styles['panel']}>
      <Presets presets={presets} choose={choose} />
      <div className={styles['days']}>
        <NativeRange {...range} className={styles['fields'] ?? ''} onChange={onChange} />
        <ReactAriaLocale>
          <RangeCalendar
            // Days typed in the fields are where the calendar is to stand.
            key={`${from}-${to}`}
            aria-label={labels.range}
            className={styles['calendar'] ?? ''}
            visibleDuration={{ months: 2 }}
            selectionAlignment="end"
            firstDayOfWeek="mon"
            value={rangeOf({ from, to })}
            defaultFocusedValue={parseDate(to ?? from ?? today)}
            onChange={({ start, end }) => choose({ from: start.toString(), to: end.toString() })}
          >
            <CalendarMonth place="first" today={today} />
            <CalendarMonth place="last" today={today} />
          </RangeCalendar>
        </ReactAriaLocale>
      </div>
    </div>
  )
}
