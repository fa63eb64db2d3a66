'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import type { Forbidden } from '../../../session/operator-context.tsx'
import layout from '../../../ui/layout.module.css'
import { useObstacle } from '../../approvals/use-obstacle.ts'
import { useRequester } from '../use-requester.ts'
import { DecideContradiction } from './decide-contradiction.tsx'
import { StopRefund } from './stop-refund.tsx'

const RedirectDialog = dynamic(
  () => import('./redirect-dialog.tsx').then((module) => module.RedirectDialog),
  {
    ssr: false,
  },
)

const redirectRefund = defineDialogAct(() => useTranslations('refunds'), {
  icon: 'refund',
  permission: 'refund.retry',
  words: (t) => ({
    label: t('redirect'),
    hint: t('redirectHint'),
    forbidden: (who) => t('retryForbidden', who),
  }),
  dialog: ({ refund }: { refund: RefundDetail }, close) => <RedirectDialog refund={refund} onClose={close} />,
})

type RefundProps = { refund: RefundDetail }

/** What both verdicts ask and say. */
function useVerdict(refund: RefundDetail, approve: boolean) {
  const t = useTranslations('refunds')
  const by = useRequester()(refund)
  const { outRefundNo, amountFen, note } = refund
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
      lead: t(approve ? 'approveLead' : 'rejectLead', { by }),
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
