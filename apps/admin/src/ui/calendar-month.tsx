'use client'

import { useTranslations } from 'next-intl'
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarHeading,
} from 'react-aria-components/RangeCalendar'
import styles from './calendar-panel.module.css'
import { Icon } from './icon.tsx'

/** One month of the two, with the button that turns to its side. */
export function CalendarMonth({ place, today }: { place: 'first' | 'last'; today: string }) {
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
