'use client'

import { DiagnosisChange, type WaitingApproval } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import type { Change } from '../../ui/change-table.tsx'
import { FailureLines } from '../../ui/failure-lines.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Described, WaitingChanges } from '../approvals/waiting-changes.tsx'

const Kept = z.object({ version: z.int(), changes: z.array(DiagnosisChange).default([]) })

/** A publication that waits for a second person, field by field. */
export function WaitingPublication({ waiting }: { waiting: WaitingApproval | null }) {
  const t = useTranslations('diagnosis')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const decide = useMutation(
    trpc.diagnosis.decide.mutationOptions({
      onSuccess: (desk) => {
        announce(said('decided'))
        queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
      },
    }),
  )
  const failure = failureOf(decide.error)
  const describe = ({ after }: WaitingApproval): Described => {
    const { version, changes } = Kept.parse(after)
    return {
      name: t('waitingName', { version }),
      changes: changes.flatMap(({ what, code, kind, fields }): Change[] => {
        const name = `${t(`kinds.${what}`)} ${code}`
        const whole = { key: `${what} ${code}`, name, before: null, after: t(`changeKinds.${kind}`) }
        return fields.length === 0
          ? [whole]
          : fields.map((field) => ({
              ...field,
              key: `${name} ${field.name}`,
              name: `${name} · ${field.name}`,
            }))
      }),
    }
  }
  return (
    <WaitingChanges
      waiting={waiting ? [waiting] : []}
      describe={describe}
      permission="diagnosis.publish"
      decide={{ ...decide, failure: failure && <FailureLines failure={failure} /> }}
    />
  )
}

/** Takes the published version back, at once. */
export function WithdrawPublished({ version }: { version: number }) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('diagnosis.publish')
  const withdraw = useMutation(
    trpc.diagnosis.withdraw.mutationOptions({
      onSuccess: (desk) => {
        announce(t('withdrawn'))
        queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="refund" />}
      quiet
      busy={withdraw.isPending}
      hint={t('withdrawHint')}
      disabledReason={forbidden && t('forbidden', forbidden)}
      onPress={() => withdraw.mutate({ version })}
    >
      {t('withdraw', { version })}
    </ActionButton>
  )
}
