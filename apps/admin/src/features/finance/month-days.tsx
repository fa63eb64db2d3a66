import {
  type FinanceDay,
  type FinanceDayState,
  type FinanceMonth,
  financeDayStates,
  formatFen,
  netFenOf,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import { Badge, type Look } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import styles from './finance.module.css'

const looks: Record<FinanceDayState, Look> = {
  ahead: { tone: 'quiet' },
  waiting: { tone: 'wait' },
  differences: { tone: 'bad' },
  reconciled: { tone: 'info' },
  closed: { tone: 'ok' },
}

/** Days whose bills were compared have a page of their own. */
const compared: readonly FinanceDayState[] = ['differences', 'reconciled', 'closed']
const hasPage = ({ state }: FinanceDay) => compared.includes(state)

type Figure = { orders: number; refunds: number; feeFen: number }
const isSilent = (day: Figure) => day.orders === 0 && day.refunds === 0 && day.feeFen === 0

const paidOn = ({ day }: FinanceDay) => paths.orders({ paid_from: day, paid_to: day })
const refundedOn = ({ day }: FinanceDay) => paths.refunds({ succeeded_from: day, succeeded_to: day })

/** A figure that leads to what it adds up; nothing where the day has none. */
const leads =
  (
    href: (day: FinanceDay) => string,
    say: (day: FinanceDay) => string,
    isThere: (day: FinanceDay) => boolean,
  ) =>
  (day: FinanceDay): ReactNode =>
    isThere(day) ? <Link href={href(day)}>{say(day)}</Link> : <EmptyValue />

function useDayColumns(): Column<FinanceDay>[] {
  const t = useTranslations('finance')
  const column = columnsOf(t)
  const sold = (day: FinanceDay) => day.orders > 0
  const gaveBack = (day: FinanceDay) => day.refunds > 0
  const fee = (day: FinanceDay) => {
    if (day.feeFen === 0 && !day.hasBill) return <EmptyValue />
    const said = formatFen(-day.feeFen)
    return hasPage(day) ? <Link href={paths.reconciledDay({ date: day.day })}>{said}</Link> : said
  }
  return [
    column.cell('day', (day) =>
      hasPage(day) ? <Link href={paths.reconciledDay({ date: day.day })}>{day.day}</Link> : day.day,
    ),
    column.cell('state', ({ state, openDifferences }) => (
      <Badge {...looks[state]}>
        {t(`states.${state}`)}
        {openDifferences > 0 && ` · ${openDifferences}`}
      </Badge>
    )),
    column.count(
      'figures.orders',
      leads(paidOn, (day) => formatCount(day.orders), sold),
    ),
    column.count(
      'figures.gross',
      leads(paidOn, (day) => formatFen(day.grossFen), sold),
    ),
    column.count(
      'figures.refunded',
      leads(refundedOn, (day) => formatFen(-day.refundFen), gaveBack),
    ),
    column.count('figures.net', (day) => (isSilent(day) ? <EmptyValue /> : formatFen(netFenOf(day)))),
    column.count('figures.fees', fee),
  ]
}

/** The number of days of the month in each state. */
function States({ days }: { days: readonly FinanceDay[] }) {
  const t = useTranslations('finance')
  const counted = financeDayStates
    .map((state) => ({ state, count: days.filter((day) => day.state === state).length }))
    .filter(({ count }) => count > 0)
    .reverse()
  return (
    <span className={styles['states']}>
      {counted.map(({ state, count }) => (
        <Badge key={state} {...looks[state]}>
          {t(`states.${state}`)} {count}
        </Badge>
      ))}
    </span>
  )
}

/** Every day of the month with what it came to and how far its reconciliation is. */
export function MonthDays({ shown }: { shown: FinanceMonth }) {
  const t = useTranslations('finance')
  return (
    <Panel title={t('days')} aside={<States days={shown.days} />}>
      <div className={styles['days']}>
        <PlainTable
          caption={t('days')}
          columns={useDayColumns()}
          rows={shown.days}
          rowKey={({ day }) => day}
          empty={t('noDays')}
        />
      </div>
    </Panel>
  )
}
