'use client'

import type { DeviceBinding, DeviceDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ReasonButton } from '../../kit/act/reason-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import page from '../../ui/detail-page.module.css'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { PinButton } from '../palette/pin-button.tsx'
import { RelatedCards } from '../related/customer-card.tsx'
import { SubjectTags } from '../tags/subject-tags.tsx'
import { BindingEnd, DeviceBadge } from './device-badges.tsx'

const looks = {
  enable: { icon: 'check', permission: 'device.disable' },
  disable: { icon: 'alert', permission: 'device.disable' },
  unbind: { icon: 'signOut', permission: 'device.unbind' },
} as const

type DeviceActProps = { device: DeviceDetail; act: keyof typeof looks; obstacle?: string | null }

/** One act on a device: it says why, and the page then shows the device as it now is. */
function DeviceAct({ device: { serialNumber }, act, obstacle = null }: DeviceActProps) {
  const t = useTranslations('devices')
  const { icon, permission } = looks[act]
  const change = useAct({
    call: (api) => api.device[act].mutate,
    invalidates: ['device'],
    keep: (device, { put, trpc }) =>
      put(trpc.device.detail.queryKey({ serialNumber: device.serialNumber }), device),
    done: () => t(`${act}.done`),
  })
  const words = {
    title: t(`${act}.title`, { serialNumber }),
    lead: t(`${act}.lead`),
    submitLabel: t(`${act}.submit`),
  }
  return (
    <ReasonButton
      icon={icon}
      hint={t(`${act}.hint`)}
      quiet
      permission={permission}
      forbidden={(who) => t('actForbidden', who)}
      obstacle={obstacle}
      asked={{ ...words, danger: act !== 'enable', act: change, input: { serialNumber } }}
    />
  )
}

/** Refuses the device to everybody from now on, or lets it be bound again. */
function DisableDevice({ device }: { device: DeviceDetail }) {
  return <DeviceAct device={device} act={device.disabledAt ? 'enable' : 'disable'} />
}

/** Takes the device from the person who has it. */
function UnbindDevice({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  return <DeviceAct device={device} act="unbind" obstacle={device.owner ? null : t('unbind.nobody')} />
}

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
    column.person('columns.owner', ({ customer }) => customer, {
      id: ({ userId }) => userId,
      idName: t('ownerId'),
      href: (id) => paths.user({ id }),
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
      title={device.model ?? device.serialNumber}
      id={{ value: device.serialNumber, name: t('serialNumber'), whole: true }}
      pin={<PinButton />}
      state={<DeviceBadge device={device} />}
      tags={<SubjectTags subject={{ kind: 'device', id: device.serialNumber }} />}
      actions={
        <span className={page['aside']}>
          <UnbindDevice device={device} />
          <DisableDevice device={device} />
        </span>
      }
    />
  )
}

/** The present assignee. */
function Owner({ device: { owner } }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  if (owner) return <RelatedCards key={owner.userId} of={{ userId: owner.userId }} />
  return (
    <Panel title={t('columns.owner')}>
      <p>{t('unbind.nobody')}</p>
    </Panel>
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
          <DetailColumns
            aside={
              <>
                <Owner device={device} />
                <NotesPanel subject={{ kind: 'device', id: device.serialNumber }} />
              </>
            }
          >
            <DeviceFacts device={device} />
            <DeviceHistory bindings={device.bindings} />
          </DetailColumns>
        </>
      )}
    </Loaded>
  )
}
