'use client'

import type { DeviceDetail } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ReasonedAct } from '../../../ui/reasoned-act.tsx'
import { useAfterAct } from './use-device-act.ts'

/** Refuses the device to everybody from now on, or lets it be bound again. */
export function DisableDevice({ device: { serialNumber, disabledAt } }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const after = useAfterAct()
  const forbidden = useForbidden('device.disable')
  const act = disabledAt ? 'enable' : 'disable'
  const change = useMutation(
    (act === 'enable' ? trpc.device.enable : trpc.device.disable).mutationOptions({
      onSuccess: (changed) => after(changed, t(`${act}.done`)),
    }),
  )
  return (
    <ReasonedAct
      icon={act === 'enable' ? 'check' : 'alert'}
      hint={t(`${act}.hint`)}
      disabledReason={forbidden && t('actForbidden', forbidden)}
      title={t(`${act}.title`, { serialNumber })}
      lead={t(`${act}.lead`)}
      submitLabel={t(`${act}.submit`)}
      danger={act === 'disable'}
      busy={change.isPending}
      failure={failureOf(change.error)?.title ?? null}
      onOpen={change.reset}
      act={(reason) => change.mutateAsync({ serialNumber, reason })}
    >
      {t(`${act}.submit`)}
    </ReasonedAct>
  )
}

/** Takes the device from the person who has it. */
export function UnbindDevice({ device: { serialNumber, owner } }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const after = useAfterAct()
  const forbidden = useForbidden('device.unbind')
  const unbind = useMutation(
    trpc.device.unbind.mutationOptions({ onSuccess: (changed) => after(changed, t('unbind.done')) }),
  )
  const reason = forbidden ? t('actForbidden', forbidden) : owner ? null : t('unbind.nobody')
  return (
    <ReasonedAct
      icon="signOut"
      hint={t('unbind.hint')}
      disabledReason={reason}
      title={t('unbind.title', { serialNumber })}
      lead={t('unbind.lead')}
      submitLabel={t('unbind.submit')}
      danger
      busy={unbind.isPending}
      failure={failureOf(unbind.error)?.title ?? null}
      onOpen={unbind.reset}
      act={(written) => unbind.mutateAsync({ serialNumber, reason: written })}
    >
      {t('unbind.submit')}
    </ReasonedAct>
  )
}
