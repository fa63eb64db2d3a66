import type { DeviceRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { DeviceBadge } from './device-badge.tsx'
import type { DeviceListState } from './device-list-params.ts'

/** Where a device comes from and who has it: what a narrow screen leaves out first. */
function useOriginColumns(): Column<DeviceRow>[] {
  const t = useTranslations('devices')
  return [
    {
      key: 'owner',
      title: t('columns.owner'),
      skeleton: 108,
      from: 'medium',
      card: 'none',
      cell: ({ owner }) =>
        owner ? (
          <Identifier value={owner.userId} name={t('ownerId')} href={paths.user({ id: owner.userId })} />
        ) : (
          <EmptyValue />
        ),
    },
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
  ]
}

/** How the list of devices reads from left to right. */
export function useDeviceColumns({ params: { sort }, change }: DeviceListState): Column<DeviceRow>[] {
  const t = useTranslations('devices')
  return [
    {
      key: 'serial',
      title: t('serialNumber'),
      skeleton: 132,
      card: 'head',
      cell: (row) => (
        <Identifier value={row.serialNumber} name={t('serialNumber')} href={paths.device(row)} />
      ),
    },
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
    ...useOriginColumns(),
    {
      key: 'createdAt',
      title: t('columns.createdAt'),
      skeleton: 112,
      card: 'line',
      cell: ({ createdAt }) => <DateTime time={createdAt} />,
      sort: {
        direction: sort === 'oldest' ? 'ascending' : 'descending',
        press: () => change({ sort: sort === 'newest' ? 'oldest' : 'newest' }),
      },
    },
  ]
}
