'use client'

import type { DeviceDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ReasonButton } from '../../../kit/act/reason-button.tsx'
import { useAct } from '../../../kit/act/use-act.ts'

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
    keep: (device, { cache, trpc }) =>
      cache.setQueryData(trpc.device.detail.queryKey({ serialNumber: device.serialNumber }), device),
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
export function DisableDevice({ device }: { device: DeviceDetail }) {
  return <DeviceAct device={device} act={device.disabledAt ? 'enable' : 'disable'} />
}

/** Takes the device from the person who has it. */
export function UnbindDevice({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  return <DeviceAct device={device} act="unbind" obstacle={device.owner ? null : t('unbind.nobody')} />
}
