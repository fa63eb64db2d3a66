'use client'

import { DifferenceKind, DifferenceState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { DayTable } from './day-table.tsx'
import { DifferenceTable } from './difference-table.tsx'
import styles from './reconciliation.module.css'
import { type DeskParams, deskParsers, differenceListQueryOf } from './reconciliation-params.ts'
import { RunDay } from './run-day.tsx'

const ALL = ''

function DifferenceFilters({
  params,
  change,
}: {
  params: DeskParams
  change: (changes: Partial<DeskParams>) => void
}) {
  const t = useTranslations('reconciliation')
  return (
    <search className={styles['filters']}>
      <Select
        aria-label={t('state')}
        value={params.state ?? ALL}
        options={[
          { value: ALL, label: t('allStates') },
          ...DifferenceState.options.map((value) => ({ value, label: t(`differenceStates.${value}`) })),
        ]}
        onChange={(value) => change({ state: DifferenceState.safeParse(value).data ?? null })}
        popupMatchSelectWidth={false}
      />
      <Select
        aria-label={t('kind')}
        value={params.kind ?? ALL}
        options={[
          { value: ALL, label: t('allKinds') },
          ...DifferenceKind.options.map((value) => ({ value, label: t(`kinds.${value}`) })),
        ]}
        onChange={(value) => change({ kind: DifferenceKind.safeParse(value).data ?? null })}
        popupMatchSelectWidth={false}
      />
    </search>
  )
}

/** The desk: what was compared day by day, and what waits for somebody. */
export function ReconciliationView() {
  const t = useTranslations('reconciliation')
  const { params, change } = useListState(deskParsers)
  const views = [
    { key: 'days', label: t('days'), view: 'days', state: null },
    { key: 'open', label: t('openDifferences'), view: 'differences', state: 'open' },
    { key: 'all', label: t('allDifferences'), view: 'differences', state: null },
  ] as const
  const tabs = views.map(({ key, label, ...wanted }) => ({
    key,
    label,
    href: paths.reconciliation({ ...wanted, kind: null, cursor: null }),
    current: params.view === wanted.view && (wanted.view === 'days' || params.state === wanted.state),
    choose: () => change({ ...wanted, kind: null }),
  }))
  return (
    <>
      <PageHeader title={t('title')} actions={<RunDay />} />
      <SavedViews />
      <Panel>
        <LinkTabs label={t('views')} tabs={tabs} />
        {params.view === 'days' ? (
          <DayTable params={params} />
        ) : (
          <>
            <DifferenceFilters params={params} change={change} />
            <DifferenceTable query={differenceListQueryOf(params)} withDate />
          </>
        )}
      </Panel>
    </>
  )
}
