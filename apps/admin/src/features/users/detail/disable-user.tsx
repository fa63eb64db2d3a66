'use client'

import type { UserDetail } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ReasonedAct } from '../../../ui/reasoned-act.tsx'
import { useAfterAct } from './use-user-act.ts'

/** Refuses the user from now on, or lets them in again. */
export function DisableUser({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const after = useAfterAct()
  const forbidden = useForbidden('user.disable')
  const act = user.disabledAt ? 'enable' : 'disable'
  const change = useMutation(
    (act === 'enable' ? trpc.user.enable : trpc.user.disable).mutationOptions({
      onSuccess: (changed) => after(changed, t(`${act}.done`)),
    }),
  )
  return (
    <ReasonedAct
      icon={act === 'enable' ? 'check' : 'alert'}
      hint={t(`${act}.hint`)}
      disabledReason={forbidden && t('actForbidden', forbidden)}
      title={t(`${act}.title`)}
      lead={t(`${act}.lead`)}
      submitLabel={t(`${act}.submit`)}
      danger={act === 'disable'}
      busy={change.isPending}
      failure={failureOf(change.error)?.title ?? null}
      onOpen={change.reset}
      act={(reason) => change.mutateAsync({ id: user.id, reason })}
    >
      {t(`${act}.submit`)}
    </ReasonedAct>
  )
}
