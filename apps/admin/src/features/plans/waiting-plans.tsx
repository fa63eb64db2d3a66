'use client'

import type { PlanDetail, WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { ChangeTable } from '../../ui/change-table.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
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
  const changesOf = usePlanChanges()
  const decide = useDecide({ call: (api) => api.plan.decide.mutate, invalidates: ['plan'] })
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
  return <WaitingChanges waiting={waiting} describe={describe} permission="plan.edit" decide={decide} />
}
