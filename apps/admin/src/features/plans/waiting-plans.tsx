'use client'

import type { PlanDetail, WaitingApproval } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { ChangeTable } from '../../ui/change-table.tsx'
import { type Described, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { PlanParts, usePlanChanges } from './plan-changes.ts'

const Asked = PlanParts.extend({ act: z.string().optional() })

/** Prices and plans that wait for a second person. */
export function WaitingPlans({
  waiting,
  plans,
}: {
  waiting: readonly WaitingApproval[]
  plans: readonly PlanDetail[]
}) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const changesOf = usePlanChanges()
  const decide = useMutation(
    trpc.plan.decide.mutationOptions({
      onSuccess: () => {
        announce(said('decided'))
        return queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
    }),
  )
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const { act, ...asked } = Asked.parse(after)
    const plan = plans.find(({ code }) => code === subject)
    const name =
      act === 'create'
        ? t('waitingNew', { plan: asked.name ?? subject })
        : t('waitingPrice', { plan: plan?.name ?? subject })
    const changes = changesOf({ ...plan, ...PlanParts.parse(before) }, asked)
    return { name, changes: <ChangeTable caption={said('changesOf', { name })} changes={changes} /> }
  }
  return (
    <WaitingChanges
      waiting={waiting}
      describe={describe}
      permission="plan.edit"
      decide={{ ...decide, failure: failureOf(decide.error)?.title ?? null }}
    />
  )
}
