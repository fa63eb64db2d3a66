'use client'

import { type DayDetail, formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ListTable } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { BackLink } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { differencesOf } from './differences.tsx'
import { CloseDay, DayBadges, RunDay } from './reconciled-day.tsx'
import styles from './reconciliation.module.css'

/** Orders = ledger = bill, or how far they are apart. */
function Sums({ day }: { day: DayDetail }) {
  const t = useTranslations('reconciliation')
  const channels = useTranslations('orders.channels')
  const [toBill, toLedger] = [day.billFen - day.orderFen, day.orderFen - day.ledgerFen]
  const verdict =
    toBill === 0 && toLedger === 0
      ? t('equal')
      : t(day.explained ? 'apartExplained' : 'apartUnexplained', {
          bill: formatFen(toBill),
          ledger: formatFen(toLedger),
        })
  return (
    <Panel title={t('headline')}>
      <dl className={styles['sums']}>
        {(['orderFen', 'ledgerFen', 'billFen'] as const).map((key) => (
          <div key={key} className={`${layout['tile']} ${styles['sum']}`}>
            <dt>{t(`sums.${key}`)}</dt>
            <dd>{formatFen(day[key])}</dd>
            {day.channels.map((part) => (
              <dd key={part.channel} className={styles['part']}>
                {channels(part.channel)} {formatFen(part[key])}
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <p className={styles['verdict']}>{day.state === 'open' ? t('notMatchedYet') : verdict}</p>
    </Panel>
  )
}

function Bills({ bills }: { bills: DayDetail['bills'] }) {
  const t = useTranslations('reconciliation')
  const column = columnsOf(t)
  const hash = ({ sha1 }: DayDetail['bills'][number]) => (
    <span className={styles['hash']} title={sha1}>
      {sha1.slice(0, 12)}
    </span>
  )
  const columns: Column<DayDetail['bills'][number]>[] = [
    column.text('billKind', ({ kind }) => t(`billKinds.${kind}`)),
    column.count('billRows', ({ rows }) => rows ?? t('unfinished')),
    column.time('fetchedAt', ({ fetchedAt }) => fetchedAt),
    column.cell('hash', hash),
  ]
  return (
    <RecordsPanel
      title={t('bills')}
      rows={bills}
      rowKey={({ kind, sha1 }) => `${kind} ${sha1}`}
      empty={t('noBills')}
      columns={columns}
    />
  )
}

/** One day of the desk: its three sums, its bills, its work items, and its closing. */
export function DayView({ date }: { date: string }) {
  const t = useTranslations('reconciliation')
  const differences = useListState(addresses.reconciliation)
  const query = useQuery(useTRPC().reconciliation.day.queryOptions({ date }))
  return (
    <Loaded query={query}>
      {(day) => (
        <>
          <PageHeader
            before={<BackLink href={paths.reconciliation()}>{t('back')}</BackLink>}
            title={date}
            aside={<DayBadges day={day} />}
            actions={
              <span className={layout['acts']}>
                <RunDay date={date} />
                <CloseDay day={day} />
              </span>
            }
          />
          <div className={layout['rows']}>
            {day.nextRunAt && (
              <Notice tone="info" icon="clock">
                {t('nextRun')} <DateTime time={day.nextRunAt} />
              </Notice>
            )}
            {day.closedAt && (
              <Notice tone="info" icon="checkCircle">
                {t('closedBy')} {day.closedBy} · <DateTime time={day.closedAt} />
              </Notice>
            )}
            <div className={styles['columns']}>
              <Sums day={day} />
              <Bills bills={day.bills} />
            </div>
            <Panel>
              <ListTable table={differencesOf(date)} list={differences} />
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  )
}
