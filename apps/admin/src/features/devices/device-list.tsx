'use client'

import { type DeviceRow, type DeviceState, deviceStates } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { idColumn, sortBy, timeColumn } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, tabsOf } from '../../kit/list/define-list.tsx'
import { EmptyList } from '../../kit/list/empty-list.tsx'
import { ChoiceFilter, ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import { useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { DeviceBadge } from './device-badge.tsx'
import { ImportLink } from './import-link.tsx'

const useWords = () => useTranslations('devices')

const devices = defineList(addresses.devices)<DeviceRow>({
  name: 'devices',
  useWords,
  exportAs: 'devices',
  Actions: ImportLink,
  useSum(filter) {
    const t = useWords()
    return useCountWords({ t, failed: t('countFailed'), query: useTRPC().device.count.queryOptions(filter) })
  },
  useRows: (query) => useListPage(useTRPC().device.list.queryOptions(query)),
  rowKey: ({ serialNumber }) => serialNumber,
  rowHref: paths.device,
  useTabs() {
    const t = useWords()
    const tabOf = (state: DeviceState | null) => ({
      label: t(state ? `states.${state}` : 'all'),
      sets: { state },
    })
    return { label: t('stateFilter'), tabs: tabsOf(deviceStates, tabOf) }
  },
  Filters({ list }) {
    const t = useWords()
    const origins = (['inventory', 'phone'] as const).map((value) => ({
      value,
      label: t(`origins.${value}`),
    }))
    return (
      <FilterBar>
        <SearchFilter t={t} list={list} />
        <DaysFilter t={t} label={t('dates')} list={list} presets={['lastWeek', 'lastMonth', 'lastQuarter']} />
        <ChoiceFilter
          label={t('origin')}
          unchosen={t('origins.any')}
          value={list.params.origin}
          options={origins}
          choose={(origin) => list.change({ origin })}
        />
        <ClearFilters list={list} label={t('clear')} />
      </FilterBar>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    return [
      idColumn({
        key: 'serial',
        title: t('serialNumber'),
        card: 'head',
        id: ({ serialNumber }) => serialNumber,
        href: paths.device,
      }),
      {
        key: 'state',
        title: t('columns.state'),
        skeleton: 72,
        card: 'sub',
        cell: (row) => <DeviceBadge device={row} />,
      },
      {
        key: 'model',
        title: t('model'),
        skeleton: 72,
        card: 'headEnd',
        cell: ({ model }) => model ?? <EmptyValue />,
      },
      idColumn({
        key: 'owner',
        title: t('columns.owner'),
        name: t('ownerId'),
        skeleton: 108,
        from: 'medium',
        card: 'none',
        id: ({ owner }) => owner?.userId ?? null,
        href: ({ owner }) => paths.user({ id: owner?.userId ?? '' }),
      }),
      {
        key: 'origin',
        title: t('origin'),
        skeleton: 64,
        from: 'wide',
        card: 'none',
        cell: ({ inventory }) => t(`origins.${inventory ? 'inventory' : 'phone'}`),
      },
      {
        key: 'proof',
        title: t('proof'),
        skeleton: 64,
        from: 'widest',
        card: 'none',
        cell: ({ hasSecret }) => t(hasSecret ? 'proofNeeded' : 'proofNone'),
      },
      timeColumn({
        key: 'createdAt',
        title: t('columns.createdAt'),
        card: 'line',
        at: ({ createdAt }) => createdAt,
        sort: sortBy(list, { ascending: 'oldest', descending: 'newest' }),
      }),
    ]
  },
})

/** The list of wearables, and the way to take more of them in. */
export const DeviceList = () => <ListPage definition={devices} />
