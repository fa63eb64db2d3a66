'use client'

import { formatFen, type WaitingApproval } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { type Described, WaitingChanges } from '../approvals/waiting-changes.tsx'

const Price = z.object({ priceFen: z.int().optional(), durationDays: z.int().optional() })

/** Prices and plans that wait for a second person. */
export function WaitingPlans({ waiting }: { waiting: readonly WaitingApproval[] }) {
  const t = useTranslations('plans')
  const said = useTranslations('approvals')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const decide = useMutation(
    trpc.plan.decide.mutationOptions({
      onSuccess: () => {
        announce(said('decided'))
        return queryClient.invalidateQueries(trpc.plan.pathFilter())
      },
    }),
  )
  const describe = ({ subject, before, after }: WaitingApproval): Described => {
    const [was, is] = [Price.parse(before), Price.parse(after)]
    const amount = (fen?: number) => (fen === undefined ? null : formatFen(fen))
    const days = (count?: number) => (count === undefined ? null : t('days', { days: count }))
    const perDay = ({ priceFen, durationDays }: z.infer<typeof Price>) =>
      priceFen === undefined || durationDays === undefined
        ? null
        : formatFen(Math.round(priceFen / durationDays))
    return {
      name: subject,
      changes: [
        { key: 'price', name: t('price'), before: amount(was.priceFen), after: amount(is.priceFen) },
        { key: 'days', name: t('duration'), before: days(was.durationDays), after: days(is.durationDays) },
        { key: 'perDay', name: t('pricePerDay'), before: perDay(was), after: perDay(is) },
      ],
    }
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
