'use client'

import { EXACT_COUNT_LIMIT } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ExportButton } from '../lists/export-button.tsx'
import { SavedViews } from '../views/saved-views.tsx'
import { useDeviceColumns } from './device-columns.tsx'
import { DeviceFilters, DeviceTabs } from './device-filters.tsx'
import { type DeviceListParams, deviceFilterOf, deviceListQueryOf, hasFilters } from './device-list-params.ts'
import { ImportLink } from './import-link.tsx'
import { type DeviceListState, useDeviceList } from './use-device-list.ts'

function Count({ params }: { params: DeviceListParams }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const rows = useQuery({
    ...trpc.device.count.queryOptions(deviceFilterOf(params)),
    placeholderData: keepPreviousData,
  })
  if (rows.isError) return <span>{t('countFailed')}</span>
  if (!rows.data) return <Skeleton width={80} />
  return rows.data.more
    ? t('countMore', { count: EXACT_COUNT_LIMIT })
    : t('count', { count: rows.data.count })
}

function Empty({ list }: { list: DeviceListState }) {
  const t = useTranslations('devices')
  return hasFilters(list.params) || list.params.cursor !== null ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon="inbox" title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}

function DeviceTable({ list }: { list: DeviceListState }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const page = useQuery({
    ...trpc.device.list.queryOptions(deviceListQueryOf(list.params)),
    placeholderData: keepPreviousData,
  })
  const { previousCursor, nextCursor } = page.data ?? { previousCursor: null, nextCursor: null }
  const { turnTo } = list
  const turns = useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
  return (
    <DataTable
      caption={t('caption')}
      columns={useDeviceColumns(list)}
      rows={page.data?.items}
      rowKey={(row) => row.serialNumber}
      rowHref={paths.device}
      busy={page.isFetching && (page.isPending || page.isPlaceholderData)}
      failure={failureOf(page.error)}
      onRetry={() => void page.refetch()}
      empty={<Empty list={list} />}
      turns={turns}
    />
  )
}

/** The list of wearables, and the way to take more of them in. */
export function DevicesView() {
  const t = useTranslations('devices')
  const list = useDeviceList()
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={<Count params={list.params} />}
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
