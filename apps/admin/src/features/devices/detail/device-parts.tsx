import type { DeviceBinding, DeviceDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { RecordsPanel } from '../../../ui/plain-table.tsx'
import { BindingEnd } from '../binding-end.tsx'

export function DeviceFacts({ device }: { device: DeviceDetail }) {
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
export function DeviceHistory({ bindings }: { bindings: readonly DeviceBinding[] }) {
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
