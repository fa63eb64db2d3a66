'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { DialogAct, DirectAct, defineAct } from '../../../kit/act/define-act.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import type { Forbidden } from '../../../session/use-forbidden.ts'
import layout from '../../../ui/layout.module.css'
import { useObstacle } from '../../approvals/use-obstacle.ts'
import { DecideContradiction } from './decide-contradiction.tsx'
import { redirectRefund } from './redirect.tsx'
import { StopRefund } from './stop-refund.tsx'

type RefundProps = { refund: RefundDetail }

/** What both verdicts ask and say. */
function useVerdict({ outRefundNo, amountFen, requestedByEmail, note }: RefundDetail, approve: boolean) {
  const t = useTranslations('refunds')
  const amount = formatFen(amountFen)
  const act = useAct({
    call: (api) => api.refund.decide.mutate,
    invalidates: ['refund'],
    done: () => t(approve ? 'approved' : 'rejected', { amount }),
  })
  return {
    act,
    input: { outRefundNo, approve },
    confirm: {
      title: t(approve ? 'approveTitle' : 'rejectTitle', { amount }),
      lead: t(approve ? 'approveLead' : 'rejectLead', { by: requestedByEmail ?? t('byRule') }),
      submitLabel: t(approve ? 'approveAmount' : 'rejectAmount', { amount }),
      danger: approve,
      children: note,
    },
    permission: 'refund.approve',
    forbidden: (who: Forbidden) => t('approveForbidden', who),
  } as const
}

/** The second person's choice; whoever asked may only take it back. */
function Decide({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const obstacleOf = useObstacle()
  return (
    <>
      <ActButton
        icon="check"
        label={t('approve')}
        hint={t('approveHint')}
        obstacle={obstacleOf(refund.obstacle)}
        {...useVerdict(refund, true)}
      />
      <ActButton
        icon="close"
        label={t(refund.isOwn ? 'withdraw' : 'reject')}
        hint={t('rejectHint')}
        quiet
        {...useVerdict(refund, false)}
      />
    </>
  )
}

/** Asks the platform now, or submits again what it never accepted. */
const retryRefund = defineAct(() => useTranslations('refunds'), {
  icon: 'sync',
  permission: 'refund.retry',
  words: (t) => ({ label: t('retry'), hint: t('retryHint'), forbidden: (who) => t('retryForbidden', who) }),
  act: (t) => ({
    call: (api) => api.refund.retry.mutate,
    invalidates: ['refund'],
    done: ({ state }) => t('nowIs', { status: t(`statuses.${state}`) }),
  }),
})

/** What can be done with a refund where it stands. */
export function RefundActs({ refund }: RefundProps) {
  const { status, state } = refund
  return (
    <span className={layout['badges']}>
      {refund.contradiction?.decidedAt === null && <DecideContradiction refund={refund} />}
      {status === 'requested' && <Decide refund={refund} />}
      {status === 'abnormal' && <DialogAct of={redirectRefund} refund={refund} />}
      {(status === 'approved' || status === 'processing' || status === 'abnormal') && (
        <DirectAct
          of={retryRefund}
          input={{ outRefundNo: refund.outRefundNo }}
          quiet={status === 'abnormal'}
        />
      )}
      {state === 'refused' && <StopRefund refund={refund} />}
    </span>
  )
}
