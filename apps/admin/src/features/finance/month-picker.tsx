import { type Month, monthAfter } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './finance.module.css'
import { monthOf, monthsOffered } from './finance-params.ts'

type MonthPickerProps = { month: Month; choose: (month: Month) => void; href: (month: Month) => string }

/** A month earlier, a month later, or any of the last two years. */
export function MonthPicker({ month, choose, href }: MonthPickerProps) {
  const t = useTranslations('finance')
  const today = useToday()
  const [earlier, later] = [monthAfter(month, -1), monthAfter(month, 1)]
  return (
    <nav className={styles['picker']} aria-label={t('month')}>
      <Link className={styles['step'] ?? ''} href={href(earlier)} aria-label={t('monthBefore')}>
        <Icon name="chevronLeft" />
      </Link>
      <Select
        aria-label={t('month')}
        value={month}
        options={monthsOffered(today, month).map((value) => ({ value, label: value }))}
        onChange={choose}
      />
      {later <= monthOf(today) ? (
        <Link className={styles['step'] ?? ''} href={href(later)} aria-label={t('monthAfter')}>
          <Icon name="chevronRight" />
        </Link>
      ) : (
        <span className={styles['step']} aria-hidden="true">
          <Icon name="chevronRight" />
        </span>
      )}
    </nav>
  )
}
