'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { ReasonedAct } from '../../../ui/reasoned-act.tsx'
import { WaitingChanges } from '../../approvals/waiting-changes.tsx'

type RefundProps = { refund: RefundDetail }

/** Asks for a refund that the platform refuses to be given up: a second person confirms it. */
export function StopRefund({ refund: { outRefundNo, amountFen, waitingStop } }: RefundProps) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('refund.request')
  const request = useMutation(
    trpc.refund.requestStop.mutationOptions({
      onSuccess: async () => {
        announce(t('stop.requested'))
        await queryClient.invalidateQueries(trpc.refund.pathFilter())
      },
    }),
  )
  const amount = formatFen(amountFen)
  return (
    <ReasonedAct
      icon="close"
      hint={t('stop.hint')}
      disabledReason={(forbidden && t('stop.forbidden', forbidden)) ?? (waitingStop ? t('stop.waits') : null)}
      title={t('stop.title', { amount })}
      lead={t('stop.lead')}
      submitLabel={t('stop.submit')}
      danger
      busy={request.isPending}
      failure={failureOf(request.error)?.title ?? null}
      act={(reason) => request.mutateAsync({ outRefundNo, reason })}
      onOpen={() => request.reset()}
    >
      {t('stop.act')}
    </ReasonedAct>
  )
}

const reasonOf = (after: unknown): string | null =>
  typeof after === 'object' && after !== null && 'reason' in after && typeof after.reason === 'string'
    ? after.reason
    : null

/** The request to give the refund up, for the second person; nothing where none waits. */
export function WaitingStop({ refund: { outRefundNo, amountFen, waitingStop } }: RefundProps) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const decide = useMutation(
    trpc.refund.decideStop.mutationOptions({
      onSuccess: async ({ state }) => {
        announce(t('nowIs', { status: t(`statuses.${state}`) }))
        await queryClient.invalidateQueries(trpc.refund.pathFilter())
      },
    }),
  )
  return (
    <WaitingChanges
      waiting={waitingStop ? [waitingStop] : []}
      describe={({ after }) => ({
        name: t('stop.waiting', { amount: formatFen(amountFen) }),
        changes: (
          <>
            <p>{reasonOf(after)}</p>
            <p>{t('stop.effect')}</p>
          </>
        ),
      })}
      permission="refund.approve"
      decide={{
        mutate: (verdict, options) =>
          decide.mutate({ outRefundNo, ...verdict }, { onSuccess: options.onSuccess }),
        isPending: decide.isPending,
        failure: failureOf(decide.error)?.title ?? null,
        reset: decide.reset,
      }}
    />
  )
}
