import { type DeferredDay, type DeferredIncome, formatFen } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import layout from '../../ui/layout.module.css'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Stat } from '../dashboard/dashboard-panel.tsx'
import finance from '../finance/finance.module.css'
import styles from './revenue.module.css'

const CHART_HEIGHT = 220

/** Loaded apart from the page: a chart is heavy. */
const DeferredChart = dynamic(() => import('./deferred-chart.tsx').then((module) => module.DeferredChart), {
  ssr: false,
  loading: () => <Skeleton height={CHART_HEIGHT} />,
})

const sumOf = (days: readonly DeferredDay[], read: (day: DeferredDay) => number) =>
  days.reduce((sum, day) => sum + read(day), 0)

/** What the month began with, what came and went, and what it ended with. */
function MonthChain({ days }: { days: readonly DeferredDay[] }) {
  const t = useTranslations('revenue.deferred')
  const figures = [
    { key: 'opening', fen: days.at(0)?.openingFen ?? 0 },
    { key: 'added', fen: sumOf(days, (day) => day.newFen) },
    { key: 'refunded', fen: -sumOf(days, (day) => day.refundedFen) },
    { key: 'earned', fen: -sumOf(days, (day) => day.earnedFen) },
    { key: 'closing', fen: days.at(-1)?.closingFen ?? 0 },
  ] as const
  return (
    <dl className={styles['chain']}>
      {figures.map(({ key, fen }) => (
        <Stat key={key} label={t(key)} value={formatFen(fen)} />
      ))}
    </dl>
  )
}

function DayTable({ days }: { days: readonly DeferredDay[] }) {
  const t = useTranslations('revenue.deferred')
  const column = columnsOf(t)
  const columns: Column<DeferredDay>[] = [
    column.text('day', ({ day }) => day),
    column.money('opening', ({ openingFen }) => openingFen),
    column.money('added', ({ newFen }) => newFen),
    column.money('refunded', ({ refundedFen }) => 0 - refundedFen),
    column.money('earned', ({ earnedFen }) => 0 - earnedFen),
    column.money('closing', ({ closingFen }) => closingFen),
  ]
  return (
    <details className={layout['details']}>
      <summary>{t('asTable')}</summary>
      <div className={finance['days']}>
        <PlainTable
          caption={t('byDay')}
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          empty={t('none')}
          columns={columns}
        />
      </div>
    </details>
  )
}

function MonthPanel({ month, days }: DeferredIncome) {
  const t = useTranslations('revenue.deferred')
  const [opening, closing] = [days.at(0)?.openingFen ?? 0, days.at(-1)?.closingFen ?? 0]
  return (
    <Panel title={t('title', { month })}>
      {days.length === 0 ? (
        <p className={finance['rule']}>{t('none')}</p>
      ) : (
        <>
          <MonthChain days={days} />
          <div
            className={styles['chart']}
            role="img"
            aria-label={t('summary', { opening: formatFen(opening), closing: formatFen(closing) })}
          >
            <DeferredChart days={days} height={CHART_HEIGHT} />
          </div>
          <DayTable days={days} />
        </>
      )}
      <p className={finance['rule']}>{t('rule')}</p>
    </Panel>
  )
}

/** All orders beside what the figures hold: whether both are equal is shown, not promised. */
function LedgerPanel({ ledger, total, withoutDaysFen, differenceFen }: DeferredIncome) {
  const t = useTranslations('revenue.ledger')
  const pendingFen = ledger.pending.grossFen - ledger.pending.refundFen
  const facts = [
    { key: 'gross', fen: ledger.grossFen },
    { key: 'refunded', fen: 0 - ledger.refundFen },
    { key: 'pending', fen: 0 - pendingFen },
    { key: 'earned', fen: 0 - total.earnedFen },
    { key: 'deferred', fen: total.deferredFen },
    { key: 'withoutDays', fen: withoutDaysFen },
  ] as const
  return (
    <Panel
      title={t('title')}
      aside={
        differenceFen === 0 ? (
          <Badge tone="ok">{t('equal')}</Badge>
        ) : (
          <Badge tone="bad">{t('differs', { fen: formatFen(differenceFen) })}</Badge>
        )
      }
    >
      <DescriptionList
        items={facts
          .filter(({ key, fen }) => fen !== 0 || (key !== 'pending' && key !== 'withoutDays'))
          .map(({ key, fen }) => ({ key, term: t(key), value: formatFen(fen) }))}
      />
    </Panel>
  )
}

/** So many months are named; what is earned after them is one sum. */
const monthsNamed = 12

function AheadPanel({ ahead }: Pick<DeferredIncome, 'ahead'>) {
  const t = useTranslations('revenue.ahead')
  const laterFen = ahead.slice(monthsNamed).reduce((sum, { fen }) => sum + fen, 0)
  const months = ahead.slice(0, monthsNamed).map(({ month, fen }) => ({ name: month, fen }))
  const shown = laterFen > 0 ? [...months, { name: t('later'), fen: laterFen }] : months
  return (
    <Panel title={t('title')}>
      {shown.length === 0 ? (
        <p className={finance['rule']}>{t('none')}</p>
      ) : (
        <dl className={styles['ahead']}>
          {shown.map(({ name, fen }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatFen(fen)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className={finance['rule']}>{t('rule')}</p>
    </Panel>
  )
}

/** Deferred income of a month, how it stands to all orders, and when it will be earned. */
export function DeferredPanels({ shown }: { shown: DeferredIncome }) {
  return (
    <>
      <MonthPanel {...shown} />
      <LedgerPanel {...shown} />
      <AheadPanel {...shown} />
    </>
  )
}
