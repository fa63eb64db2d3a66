import type { DeviceBinding, DeviceDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
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
  return (
    <Panel title={t('history')}>
      <PlainTable
        caption={t('history')}
        rows={bindings}
        rowKey={({ id }) => id}
        empty={t('noHistory')}
        columns={[
          {
            key: 'user',
            title: t('columns.owner'),
            cell: ({ userId }) => (
              <Identifier value={userId} name={t('ownerId')} href={paths.user({ id: userId })} />
            ),
          },
          { key: 'boundAt', title: t('boundAt'), cell: ({ boundAt }) => <DateTime time={boundAt} /> },
          { key: 'end', title: t('columns.state'), cell: (binding) => <BindingEnd binding={binding} /> },
        ]}
      />
    </Panel>
  )
}
