'use client'

import { formatFen, type RefundDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useObstacle } from '../../approvals/use-obstacle.ts'
import styles from '../refunds.module.css'
import { DecideContradiction } from './decide-contradiction.tsx'
import { StopRefund } from './stop-refund.tsx'

const RedirectDialog = dynamic(
  () => import('./redirect-dialog.tsx').then((module) => module.RedirectDialog),
  { ssr: false },
)

type RefundProps = { refund: RefundDetail }

function DecideDialog({ refund, approve, onClose }: RefundProps & { approve: boolean; onClose: () => void }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const amount = formatFen(refund.amountFen)
  const decide = useMutation(
    trpc.refund.decide.mutationOptions({
      onSuccess: async () => {
        announce(t(approve ? 'approved' : 'rejected', { amount }))
        onClose()
        await queryClient.invalidateQueries(trpc.refund.pathFilter())
      },
    }),
  )
  return (
    <Dialog
      title={t(approve ? 'approveTitle' : 'rejectTitle', { amount })}
      lead={t(approve ? 'approveLead' : 'rejectLead', { by: refund.requestedByEmail ?? t('byRule') })}
      submitLabel={t(approve ? 'approveAmount' : 'rejectAmount', { amount })}
      danger={approve}
      submitting={decide.isPending}
      failure={failureOf(decide.error)?.title ?? null}
      onSubmit={() => decide.mutate({ outRefundNo: refund.outRefundNo, approve })}
      onClose={onClose}
    >
      {refund.note}
    </Dialog>
  )
}

/** The second person's choice; whoever asked may only take it back. */
function Decide({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const forbidden = useForbidden('refund.approve')
  const [verdict, setVerdict] = useState<'approve' | 'reject' | null>(null)
  const denied = forbidden && t('approveForbidden', forbidden)
  const obstacleOf = useObstacle()
  return (
    <>
      <ActionButton
        icon={<Icon name="check" />}
        busy={false}
        hint={t('approveHint')}
        disabledReason={denied ?? obstacleOf(refund.obstacle)}
        onPress={() => setVerdict('approve')}
      >
        {t('approve')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="close" />}
        quiet
        busy={false}
        hint={t('rejectHint')}
        disabledReason={denied}
        onPress={() => setVerdict('reject')}
      >
        {t(refund.isOwn ? 'withdraw' : 'reject')}
      </ActionButton>
      {verdict && (
        <DecideDialog refund={refund} approve={verdict === 'approve'} onClose={() => setVerdict(null)} />
      )}
    </>
  )
}

/** Asks the platform now, or submits again what it never accepted. */
function Retry({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('refund.retry')
  const retry = useMutation(
    trpc.refund.retry.mutationOptions({
      onSuccess: async ({ state }) => {
        announce(t('nowIs', { status: t(`statuses.${state}`) }))
        await queryClient.invalidateQueries(trpc.refund.pathFilter())
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="sync" />}
      quiet={refund.status === 'abnormal'}
      busy={retry.isPending}
      hint={t('retryHint')}
      disabledReason={forbidden && t('retryForbidden', forbidden)}
      onPress={() => retry.mutate({ outRefundNo: refund.outRefundNo })}
    >
      {t('retry')}
    </ActionButton>
  )
}

function Redirect({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const forbidden = useForbidden('refund.retry')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="refund" />}
        busy={false}
        hint={t('redirectHint')}
        disabledReason={forbidden && t('retryForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('redirect')}
      </ActionButton>
      {open && <RedirectDialog refund={refund} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What can be done with a refund where it stands. */
export function RefundActs({ refund }: RefundProps) {
  const { status, state } = refund
  return (
    <span className={styles['acts']}>
      {refund.contradiction?.decidedAt === null && <DecideContradiction refund={refund} />}
      {status === 'requested' && <Decide refund={refund} />}
      {status === 'abnormal' && <Redirect refund={refund} />}
      {(status === 'approved' || status === 'processing' || status === 'abnormal') && (
        <Retry refund={refund} />
      )}
      {state === 'refused' && <StopRefund refund={refund} />}
    </span>
  )
}
