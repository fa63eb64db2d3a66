'use client'

import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { EmptyList } from '../lists/empty-list.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { ListCount } from '../lists/list-count.tsx'
import { useListPage } from '../lists/use-list-page.ts'
import { useListState } from '../lists/use-list-state.ts'
import { SavedViews } from '../views/saved-views.tsx'
import { useDeviceColumns } from './device-columns.tsx'
import { DeviceFilters, DeviceTabs } from './device-filters.tsx'
import {
  type DeviceListState,
  deviceFilterOf,
  deviceListParsers,
  deviceListQueryOf,
  noFilters,
} from './device-list-params.ts'
import { ImportLink } from './import-link.tsx'

function DeviceTable({ list }: { list: DeviceListState }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  return (
    <DataTable
      name="devices"
      caption={t('caption')}
      columns={useDeviceColumns(list)}
      rowKey={(row) => row.serialNumber}
      rowHref={paths.device}
      empty={<EmptyList t={t} list={list} />}
      {...useListPage(trpc.device.list.queryOptions(deviceListQueryOf(list.params)))}
    />
  )
}

/** The list of wearables, and the way to take more of them in. */
export function DevicesView() {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const list = useListState(deviceListParsers, noFilters)
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          <ListCount
            t={t}
            failed={t('countFailed')}
            query={trpc.device.count.queryOptions(deviceFilterOf(list.params))}
          />
        }
        actions={
          <>
            <ExportButton name="devices" query={{ ...deviceFilterOf(list.params), sort: list.params.sort }} />
            <ImportLink />
          </>
        }
      />
      <SavedViews />
      <Panel>
        <DeviceTabs list={list} />
        <DeviceFilters list={list} />
        <DeviceTable list={list} />
      </Panel>
    </>
  )
}
