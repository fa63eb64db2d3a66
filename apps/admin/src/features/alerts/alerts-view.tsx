'use client'

import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { paths } from '../../paths.ts'
import { LinkTabs } from '../../ui/link-tabs.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { AlertTable } from './alert-table.tsx'
import { deskViewParsers, showsOrders } from './desk-params.ts'
import { ParkedTable } from './parked-table.tsx'

/** One desk for what does not go on by itself. */
export function AlertsView() {
  const t = useTranslations('alerts')
  const [params, setParams] = useQueryStates(deskViewParsers, { history: 'push' })
  const tabs = (['parked', 'alerts', 'left', 'resolved'] as const).map((view) => ({
    key: view,
    label: t(`views.${view}`),
    href: paths.alerts({ view }),
    current: params.view === view,
    choose: () => void setParams({ view, cursor: null }),
  }))
  return (
    <>
      <PageHeader title={t('title')} />
      <SavedViews />
      <Panel>
        <LinkTabs label={t('viewFilter')} tabs={tabs} />
        {showsOrders(params) ? <ParkedTable params={params} /> : <AlertTable params={params} />}
      </Panel>
    </>
  )
}
