'use client'

import { type ApprovalVerdict, formatFen, type RefundDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ReasonButton } from '../../../kit/act/reason-button.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import { WaitingChanges } from '../../approvals/waiting-changes.tsx'

type RefundProps = { refund: RefundDetail }

/** Asks for a refund that the platform refuses to be given up: a second person confirms it. */
export function StopRefund({ refund: { outRefundNo, amountFen, waitingStop } }: RefundProps) {
  const t = useTranslations('refunds')
  const request = useAct({
    call: (api) => api.refund.requestStop.mutate,
    invalidates: ['refund'],
    done: () => t('stop.requested'),
  })
  const words = {
    title: t('stop.title', { amount: formatFen(amountFen) }),
    lead: t('stop.lead'),
    submitLabel: t('stop.submit'),
  }
  return (
    <ReasonButton
      icon="close"
      label={t('stop.act')}
      hint={t('stop.hint')}
      quiet
      permission="refund.request"
      forbidden={(who) => t('stop.forbidden', who)}
      obstacle={waitingStop ? t('stop.waits') : null}
      asked={{ ...words, danger: true, act: request, input: { outRefundNo } }}
    />
  )
}

const reasonOf = (after: unknown): string | null =>
  typeof after === 'object' && after !== null && 'reason' in after && typeof after.reason === 'string'
    ? after.reason
    : null

/** The request to give the refund up, for the second person; nothing where none waits. */
export function WaitingStop({ refund: { outRefundNo, amountFen, waitingStop } }: RefundProps) {
  const t = useTranslations('refunds')
  const decide = useAct({
    call: (api) => (verdict: ApprovalVerdict) => api.refund.decideStop.mutate({ outRefundNo, ...verdict }),
    invalidates: ['refund'],
    done: ({ state }) => t('nowIs', { status: t(`statuses.${state}`) }),
  })
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
      decide={decide}
    />
  )
}
