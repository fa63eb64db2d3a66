'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { DateTime, useToday } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { StaleNotice } from '../../ui/stale-notice.tsx'
import { CloseMonth, ClosingNotice } from './close-month.tsx'
import styles from './finance.module.css'
import { financeParsers, monthOf } from './finance-params.ts'
import { LateEntries } from './late-entries.tsx'
import { MonthDays } from './month-days.tsx'
import { MonthFigures } from './month-figures.tsx'
import { MonthPack } from './month-pack.tsx'
import { MonthPicker } from './month-picker.tsx'

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
            <MonthPicker
              month={month}
              choose={(chosen) => void setParams({ month: chosen })}
              href={paths.finance}
            />
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
            <p className={styles['more']}>
              <Link href={paths.revenue({ month: shown.month })}>{t('toRevenue')}</Link>
            </p>
            <MonthDays shown={shown} />
          </div>
        )}
      </Loaded>
    </>
  )
}
