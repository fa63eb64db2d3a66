import {
  type Cohort,
  type CohortCell,
  type Cohorts,
  formatFen,
  type Month,
  type MonthRange,
} from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { formatCount } from '../../format.ts'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatShare, shareOf } from '../dashboard/dashboard-panel.tsx'
import finance from '../finance/finance.module.css'
import { monthOf } from '../finance/finance-params.ts'
import styles from './revenue.module.css'
import { type Measure, measures } from './revenue-params.ts'

const countOf: Record<Exclude<Measure, 'net'>, (cell: CohortCell) => number> = {
  access: ({ active }) => active,
  paid: ({ payers }) => payers,
}

/** What a cell says, in large and in small, and how strongly it is coloured. */
function sayCell(cell: CohortCell, { users, cells }: Cohort, measure: Measure) {
  if (measure === 'net') {
    const most = Math.max(...cells.map(({ netFen }) => netFen))
    return { large: formatFen(cell.netFen), small: null, share: Math.max(0, shareOf(cell.netFen, most)) }
  }
  const count = countOf[measure](cell)
  return { large: formatShare(count, users), small: formatCount(count), share: shareOf(count, users) }
}

type CellProps = { cell: CohortCell; cohort: Cohort; measure: Measure; isRunning: boolean }

function Cell({ cell, cohort, measure, isRunning }: CellProps) {
  const { large, small, share } = sayCell(cell, cohort, measure)
  const heat: CSSProperties & { '--share': string } = { '--share': `${Math.round(share * 100)}%` }
  return (
    <td style={heat} title={cell.month} data-running={isRunning || undefined}>
      {large}
      {small !== null && <small>{small}</small>}
    </td>
  )
}

type TriangleProps = { cohorts: readonly Cohort[]; measure: Measure; running: Month }

function Triangle({ cohorts, measure, running }: TriangleProps) {
  const t = useTranslations('revenue.cohorts')
  const longest = Math.max(...cohorts.map(({ cells }) => cells.length))
  return (
    <div className={styles['scroll']}>
      <table className={styles['triangle']} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col">{t('cohort')}</th>
            <th scope="col">{t('users')}</th>
            {Array.from({ length: longest }, (_, since) => since).map((since) => (
              <th key={since} scope="col">
                {t('since', { count: since })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.month}>
              <th scope="row">
                <Link href={paths.finance(cohort.month)}>{cohort.month}</Link>
              </th>
              <td>{formatCount(cohort.users)}</td>
              {cohort.cells.map((cell) => (
                <Cell
                  key={cell.month}
                  cell={cell}
                  cohort={cohort}
                  measure={measure}
                  isRunning={cell.month === running}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type CohortsProps = { range: MonthRange; measure: Measure; choose: (measure: Measure) => void }

function Shown({ shown, measure, choose }: Omit<CohortsProps, 'range'> & { shown: Cohorts }) {
  const t = useTranslations('revenue.cohorts')
  const today = useToday()
  return (
    <Panel
      title={t('title')}
      aside={
        <Select
          aria-label={t('measure')}
          value={measure}
          options={measures.map((value) => ({ value, label: t(`measures.${value}`) }))}
          onChange={choose}
        />
      }
    >
      {shown.cohorts.length === 0 ? (
        <p className={finance['rule']}>{t('none')}</p>
      ) : (
        <Triangle cohorts={shown.cohorts} measure={measure} running={monthOf(today)} />
      )}
      <p className={finance['rule']}>
        {t(`rules.${measure}`)} {t('running')}
      </p>
    </Panel>
  )
}

/** Users by the month of their first payment: how many stayed, paid, and what they brought, month by month since. */
export function CohortPanel({ range, ...choice }: CohortsProps) {
  const query = useQuery({
    ...useTRPC().revenue.cohorts.queryOptions(range),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton height={240} />}>
      {(shown) => <Shown shown={shown} {...choice} />}
    </Loaded>
  )
}
