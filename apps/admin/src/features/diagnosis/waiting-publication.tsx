'use client'

import { DiagnosisChange, type WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { FailureLines } from '../../ui/failure-lines.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { ChangeList } from './change-list.tsx'
import { shownDesk } from './desk-acts.tsx'

const Kept = z.object({ version: z.int(), changes: z.array(DiagnosisChange).default([]) })

/** A publication that waits for a second person, field by field. */
export function WaitingPublication({ waiting }: { waiting: WaitingApproval | null }) {
  const t = useTranslations('diagnosis')
  const decide = useDecide({ call: (api) => api.diagnosis.decide.mutate, ...shownDesk })
  const describe = ({ after }: WaitingApproval): Described => {
    const { version, changes } = Kept.parse(after)
    return { name: t('waitingName', { version }), changes: <ChangeList changes={changes} /> }
  }
  return (
    <WaitingChanges
      waiting={waiting ? [waiting] : []}
      describe={describe}
      permission="diagnosis.publish"
      decide={decide}
      failure={decide.failure && <FailureLines failure={decide.failure} />}
    />
  )
}
