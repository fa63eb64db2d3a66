'use client'

import type { DeviceBinding, DeviceDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { DetailHead } from '../../../ui/detail-head.tsx'
import page from '../../../ui/detail-page.module.css'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../binding-end.tsx'
import { DeviceBadge } from '../device-badge.tsx'
import { DisableDevice, UnbindDevice } from './device-acts.tsx'

function DeviceFacts({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  const zone = useTranslations('shell')('zone')
  const { disabledAt } = device
  const facts = [
    { key: 'model', term: t('model'), value: device.model },
    { key: 'firmware', term: t('firmware'), value: device.firmwareVersion },
    { key: 'mac', term: t('macAddress'), value: device.macAddress },
    { key: 'origin', term: t('origin'), value: t(`origins.${device.inventory ? 'inventory' : 'phone'}`) },
    { key: 'proof', term: t('proof'), value: t(device.hasSecret ? 'proofNeeded' : 'proofNone') },
    { key: 'trial', term: t('trial'), value: t(device.trialUsed ? 'trialUsed' : 'trialUnused') },
    { key: 'createdAt', term: t('columns.createdAt'), value: <DateTime time={device.createdAt} /> },
    ...(disabledAt
      ? [{ key: 'disabledAt', term: t('disabledAt'), value: <DateTime time={disabledAt} /> }]
      : []),
  ]
  return (
    <Panel title={t('facts')} aside={<span className={page['zone']}>{zone}</span>}>
      <DescriptionList items={facts} wide />
    </Panel>
  )
}

/** Everybody who has or had the device, the newest first. */
function DeviceHistory({ bindings }: { bindings: readonly DeviceBinding[] }) {
  const t = useTranslations('devices')
  const column = columnsOf(t)
  const columns: Column<DeviceBinding>[] = [
    column.id('columns.owner', ({ userId }) => userId, {
      name: t('ownerId'),
      href: ({ userId }) => paths.user({ id: userId }),
    }),
    column.time('boundAt', ({ boundAt }) => boundAt),
    column.cell('columns.state', (binding) => <BindingEnd binding={binding} />),
  ]
  return (
    <RecordsPanel
      title={t('history')}
      rows={bindings}
      rowKey={({ id }) => id}
      empty={t('noHistory')}
      columns={columns}
    />
  )
}

function DeviceHead({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  return (
    <DetailHead
      back={{ href: paths.devices(), label: t('back') }}
      title={device.serialNumber}
      id={{ value: device.serialNumber, name: t('serialNumber') }}
      state={<DeviceBadge device={device} />}
      actions={
        <span className={page['aside']}>
          <UnbindDevice device={device} />
          <DisableDevice device={device} />
        </span>
      }
    />
  )
}

/** One wearable: what it is, who has it, and who had it before. */
export function DeviceView({ serialNumber }: { serialNumber: string }) {
  const t = useTranslations('devices')
  const query = useQuery(useTRPC().device.detail.queryOptions({ serialNumber }))
  return (
    <Loaded query={query} skeleton={<ListSkeleton title={t('title')} />}>
      {(device) => (
        <>
          <DeviceHead device={device} />
          <div className={page['columns']}>
            <DeviceHistory bindings={device.bindings} />
            <DeviceFacts device={device} />
          </div>
        </>
      )}
    </Loaded>
  )
}
