import { type ChurnMonth, type MonthRange, RENEWAL_DAYS } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import { formatShare } from '../dashboard/dashboard-panel.tsx'
import finance from '../finance/finance.module.css'

/** What each figure counts, in words. */
const rules = ['ended', 'renewed', 'lost', 'rate'] as const

function Months({ months }: { months: readonly ChurnMonth[] }) {
  const t = useTranslations('revenue.churn')
  const column = columnsOf(t)
  const rate = ({ lost, renewed }: ChurnMonth) =>
    lost + renewed === 0 ? <EmptyValue /> : formatShare(lost, lost + renewed)
  const columns: Column<ChurnMonth>[] = [
    column.text('month', ({ month }) => month),
    column.count('ended', ({ ended }) => formatCount(ended)),
    column.count('renewed', ({ renewed }) => formatCount(renewed)),
    column.count('open', ({ open }) => formatCount(open)),
    column.count('lost', ({ lost }) => formatCount(lost)),
    column.count('rate', rate),
  ]
  return (
    <div className={finance['days']}>
      <PlainTable
        caption={t('title')}
        rows={months.toReversed()}
        rowKey={({ month }) => month}
        empty={t('none')}
        columns={columns}
      />
    </div>
  )
}

/** Whose access ended in each month, and how many of them renewed or are lost. */
export function ChurnPanel({ range }: { range: MonthRange }) {
  const t = useTranslations('revenue.churn')
  const query = useQuery({
    ...useTRPC().revenue.churn.queryOptions(range),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton height={200} />}>
      {({ months }) => (
        <Panel title={t('title')}>
          <Months months={months} />
          {rules.map((rule) => (
            <p key={rule} className={finance['rule']}>
              {t(`rules.${rule}`, { days: RENEWAL_DAYS })}
            </p>
          ))}
        </Panel>
      )}
    </Loaded>
  )
}
