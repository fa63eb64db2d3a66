'use client'

import { type DayDetail, formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ListTable } from '../../kit/list/list-table.tsx'
import { useListState } from '../../kit/list/use-list-state.ts'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import page from '../../ui/detail-page.module.css'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import lines from '../../ui/lines.module.css'
import { LinesPanel } from '../../ui/lines.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Raw } from '../../ui/text.tsx'
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

/** What the platform gave of the day, each issue with the beginning of its hash. */
function Bills({ bills }: { bills: DayDetail['bills'] }) {
  const t = useTranslations('reconciliation')
  return (
    <LinesPanel title={t('bills')} rows={bills} empty={t('noBills')}>
      {({ kind, rows, fetchedAt, sha1 }) => (
        <li key={`${kind} ${sha1}`}>
          <span className={lines['side']}>
            {t(`billKinds.${kind}`)}
            <span className={page['zone']}>
              <DateTime time={fetchedAt} /> ·{' '}
              {rows === null ? t('unfinished') : t('billRows', { count: rows })}
            </span>
          </span>
          <span className={styles['hash']} title={`${t('hash')} ${sha1}`}>
            <Raw>{sha1.slice(0, 12)}</Raw>
          </span>
        </li>
      )}
    </LinesPanel>
  )
}

/** When the day was matched, and when and by whom it was closed. */
function Progress({ day: { matchedAt, closedAt, closedBy } }: { day: DayDetail }) {
  const t = useTranslations('reconciliation')
  return (
    <Panel title={t('progress')}>
      <DescriptionList
        wide
        items={[
          { key: 'matched', term: t('matchedAt'), value: matchedAt && <DateTime time={matchedAt} /> },
          { key: 'closed', term: t('closedAt'), value: closedAt && <DateTime time={closedAt} /> },
          { key: 'closedBy', term: t('closedBy'), value: closedBy },
        ]}
      />
    </Panel>
  )
}

/** One day of the desk: its three sums, its work items, and beside them its bills and its closing. */
export function DayView({ date }: { date: string }) {
  const t = useTranslations('reconciliation')
  const differences = useListState(addresses.reconciliation)
  const query = useQuery(useTRPC().reconciliation.day.queryOptions({ date }))
  return (
    <Loaded query={query}>
      {(day) => (
        <>
          <DetailHead
            back={{ href: paths.reconciliation(), label: t('back') }}
            title={date}
            id={{ value: date, name: t('date') }}
            state={<DayBadges day={day} />}
            actions={
              <span className={layout['acts']}>
                <RunDay date={date} />
                <CloseDay day={day} />
              </span>
            }
          />
          <div className={layout['rows']}>
            <DetailColumns
              aside={
                <>
                  <Progress day={day} />
                  <Bills bills={day.bills} />
                </>
              }
            >
              {day.nextRunAt && (
                <Notice tone="info" icon="clock">
                  {t('nextRun')} <DateTime time={day.nextRunAt} />
                </Notice>
              )}
              <Sums day={day} />
            </DetailColumns>
            <Panel>
              <ListTable table={differencesOf(date)} list={differences} />
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  )
}
