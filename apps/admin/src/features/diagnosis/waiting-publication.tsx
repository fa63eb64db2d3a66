'use client'

import { DiagnosisChange, type WaitingApproval } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { FailureLines } from '../../ui/failure-lines.tsx'
import { type Described, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { ChangeList } from './change-list.tsx'

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
    return { name: t('waitingName', { version }), changes: <ChangeList changes={changes} /> }
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
