'use client'

import { type DeviceRow, deviceStates } from '@meridian/contracts'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { byAge, columnsOf, sortBy } from '../../kit/list/columns.tsx'
import { useCountWords } from '../../kit/list/counts.ts'
import { defineList, ListPage, stateTabs } from '../../kit/list/define-list.tsx'
import { ChoiceFilter, UsualFilters } from '../../kit/list/filters.tsx'
import { EmptyList, useListPage } from '../../kit/list/list-table.tsx'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { UserLink } from '../related/row-links.tsx'
import { withTags } from '../tags/tag-chip.tsx'
import { TagFilter } from '../tags/tag-filter.tsx'
import { DeviceBadge } from './device-badges.tsx'

/** The way to the import, or why it is closed. */
function ImportLink() {
  const t = useTranslations('devices')
  const router = useRouter()
  const forbidden = useForbidden('device.import')
  return (
    <ActionButton
      icon={<Icon name="upload" />}
      busy={false}
      hint={t('importHint')}
      disabledReason={forbidden && t('importForbidden', forbidden)}
      onPress={() => router.push(paths.deviceImport())}
    >
      {t('import')}
    </ActionButton>
  )
}

const useWords = () => useTranslations('devices')

const devices = defineList(addresses.devices)<DeviceRow>({
  name: 'devices',
  useWords,
  exportAs: 'devices',
  Actions: ImportLink,
  useSum: (filter) => useCountWords(useWords(), useTRPC().device.count.queryOptions(filter)),
  useRows: (query) => useListPage(useTRPC().device.list.queryOptions(query)),
  rowKey: ({ serialNumber }) => serialNumber,
  rowHref: paths.device,
  useRowActs: () => (device) => device.owner && <UserLink userId={device.owner.userId} />,
  useTabs: () => stateTabs(useWords(), deviceStates),
  Filters({ list }) {
    const t = useWords()
    const origins = (['inventory', 'phone'] as const).map((value) => ({
      value,
      label: t(`origins.${value}`),
    }))
    return (
      <UsualFilters t={t} list={list} days={t('dates')} presets={['lastWeek', 'lastMonth', 'lastQuarter']}>
        <ChoiceFilter
          label={t('origin')}
          unchosen={t('origins.any')}
          value={list.params.origin}
          options={origins}
          choose={(origin) => list.change({ origin })}
        />
        <TagFilter list={list} />
      </UsualFilters>
    )
  },
  Empty: ({ list }) => <EmptyList t={useWords()} list={list} />,
  useColumns(list) {
    const t = useWords()
    const column = columnsOf(t)
    return [
      withTags(
        column.id('serialNumber', ({ serialNumber }) => serialNumber, {
          key: 'serial',
          card: 'head',
          href: paths.device,
        }),
      ),
      column.cell('columns.state', (row) => <DeviceBadge device={row} />, { key: 'state', card: 'sub' }),
      column.text('model', ({ model }) => model, { card: 'headEnd' }),
      column.person('columns.owner', ({ customer }) => customer, {
        id: ({ owner }) => owner?.userId ?? null,
        idName: t('ownerId'),
        href: (id) => paths.user({ id }),
        key: 'owner',
        from: 'medium',
        card: 'none',
      }),
      column.text('origin', ({ inventory }) => t(`origins.${inventory ? 'inventory' : 'phone'}`), {
        from: 'wide',
        card: 'none',
      }),
      column.text('proof', ({ hasSecret }) => t(hasSecret ? 'proofNeeded' : 'proofNone'), {
        from: 'widest',
        card: 'none',
      }),
      column.time('columns.createdAt', ({ createdAt }) => createdAt, {
        key: 'createdAt',
        sort: sortBy(list, byAge),
      }),
    ]
  },
})

/** The list of wearables, and the way to take more of them in. */
export const DeviceList = () => <ListPage definition={devices} />
