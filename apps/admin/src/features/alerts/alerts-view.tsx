'use client'

import { DeskView, EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useListState } from '../lists/use-list-state.ts'
import { useTabCounts } from '../lists/use-tab-counts.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { AlertTable } from './alert-table.tsx'
import { alertFilterOf, type DeskViewParams, deskViewParsers, showsOrders } from './desk-params.ts'
import { ParkedTable } from './parked-table.tsx'
import { useAlertKind } from './use-alert-kind.ts'

/** How many stand in the view that is open. */
function Count({ params }: { params: DeskViewParams }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const orders = showsOrders(params)
  const parked = useQuery({
    ...trpc.alert.countParked.queryOptions({ left: params.view === 'left' }),
    enabled: orders,
  })
  const alerts = useQuery({ ...trpc.alert.count.queryOptions(alertFilterOf(params)), enabled: !orders })
  const rows = orders ? parked : alerts
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

/** One desk for what does not go on by itself. */
export function AlertsView() {
  const t = useTranslations('alerts')
  const kindOf = useAlertKind()
  const { params, change } = useListState(deskViewParsers)
  const countOf = useTabCounts(useTRPC().alert.counts.queryOptions())
  const tabs = DeskView.options.map((view) => ({
    key: view,
    label: t(`views.${view}`),
    count: countOf(view),
    href: paths.alerts({ view }),
    current: params.view === view,
    choose: () => change({ view, kind: null }),
  }))
  const kind = params.kind &&
    !showsOrders(params) && {
      key: 'kind',
      label: kindOf(params.kind),
      remove: () => change({ kind: null }),
    }
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Count params={params} />}
        actions={<PrefetchLink href={paths.alertChannels()}>{t('channels')}</PrefetchLink>}
      />
      <SavedViews />
      <Panel>
        <LinkTabs label={t('viewFilter')} tabs={tabs} />
        <FilterChips chips={kind ? [kind] : []} />
        {showsOrders(params) ? <ParkedTable params={params} /> : <AlertTable params={params} />}
      </Panel>
    </>
  )
}
