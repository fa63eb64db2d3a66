'use client'

import { type CalendarDate, parseDate } from '@internationalized/date'
import { useTranslations } from 'next-intl'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarHeading,
  RangeCalendar,
} from 'react-aria-components/RangeCalendar'
import styles from './calendar-panel.module.css'
import { useToday } from './date-time.tsx'
import { Icon } from './icon.tsx'
import { type DayRangeProps, type Days, NativeRange } from './native-range.tsx'
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

/** One month of the two, with the button that turns to its side. */
function CalendarMonth({ place, today }: { place: 'first' | 'last'; today: string }) {
  const t = useTranslations('ui')
  const offset = { months: place === 'first' ? 0 : 1 }
  return (
    <div>
      <header className={styles['head']}>
        {place === 'first' && (
          <Button slot="previous" aria-label={t('earlierMonth')} className={styles['turn'] ?? ''}>
            <Icon name="chevronLeft" />
          </Button>
        )}
        <CalendarHeading offset={offset} className={styles['name'] ?? ''} />
        {place === 'last' && (
          <Button slot="next" aria-label={t('laterMonth')} className={`${styles['turn']} ${styles['later']}`}>
            <Icon name="chevronRight" />
          </Button>
        )}
      </header>
      <CalendarGrid offset={offset} weekdayStyle="short" className={styles['grid'] ?? ''}>
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>
          {(date) => (
            <CalendarCell
              date={date}
              className={styles['day'] ?? ''}
              // The day of the business, which the browser's zone may not have reached yet.
              data-current={date.toString() === today || undefined}
            />
          )}
        </CalendarGridBody>
      </CalendarGrid>
    </div>
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
