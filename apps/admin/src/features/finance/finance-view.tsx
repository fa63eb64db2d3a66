'use client'

import { type Month, monthAfter } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { DateTime, useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import { CloseMonth, ClosingNotice } from './close-month.tsx'
import styles from './finance.module.css'
import { financeParsers, monthOf, monthsOffered } from './finance-params.ts'
import { LateEntries } from './late-entries.tsx'
import { MonthDays } from './month-days.tsx'
import { MonthFigures } from './month-figures.tsx'
import { MonthPack } from './month-pack.tsx'
import { PlanRevenuePanel } from './plan-revenue.tsx'

/** A month earlier, a month later, or any of the last two years. */
function MonthPicker({ month, choose }: { month: Month; choose: (month: Month) => void }) {
  const t = useTranslations('finance')
  const today = useToday()
  const [earlier, later] = [monthAfter(month, -1), monthAfter(month, 1)]
  return (
    <nav className={styles['picker']} aria-label={t('month')}>
      <Link className={styles['step'] ?? ''} href={paths.finance(earlier)} aria-label={t('monthBefore')}>
        <Icon name="chevronLeft" />
      </Link>
      <Select
        aria-label={t('month')}
        value={month}
        options={monthsOffered(today, month).map((value) => ({ value, label: value }))}
        onChange={choose}
      />
      {later <= monthOf(today) ? (
        <Link className={styles['step'] ?? ''} href={paths.finance(later)} aria-label={t('monthAfter')}>
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

/** A month of money: what came in, what went back and what the platform kept, and how far each day is. */
export function FinanceView() {
  const t = useTranslations('finance')
  const [params, setParams] = useQueryStates(financeParsers, { history: 'push' })
  const today = useToday()
  const month = params.month ?? monthOf(today)
  const query = useQuery({
    ...useTRPC().finance.month.queryOptions({ month }),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          data && (
            <>
              {t('asOf')} <DateTime time={data.readAt} exact />
            </>
          )
        }
        actions={
          <span className={layout['acts']}>
            <MonthPicker month={month} choose={(chosen) => void setParams({ month: chosen })} />
            <MonthPack month={month} />
            {data && <CloseMonth shown={data} />}
          </span>
        }
      />
      <StaleNotice of={query} />
      <Loaded query={query}>
        {(shown) => (
          <div className={layout['rows']} aria-busy={query.isPlaceholderData || undefined}>
            <ClosingNotice shown={shown} />
            <MonthFigures shown={shown} />
            <LateEntries shown={shown} />
            <PlanRevenuePanel month={shown.month} />
            <MonthDays shown={shown} />
          </div>
        )}
      </Loaded>
    </>
  )
}
