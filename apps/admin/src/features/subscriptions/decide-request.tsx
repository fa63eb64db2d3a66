'use client'

import type { GrantRequest } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { signedDays } from '../../format.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useObstacle } from '../approvals/use-obstacle.ts'
import styles from './subscriptions.module.css'

type Verdict = 'approve' | 'reject'

function DecisionDialog({
  request,
  verdict,
  onClose,
}: {
  request: GrantRequest
  verdict: Verdict
  onClose: () => void
}) {
  const t = useTranslations('subscriptions')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const days = t('signedDays', signedDays(request.days))
  const decide = useMutation(
    trpc.subscription.decideRequest.mutationOptions({
      onSuccess: async () => {
        announce(t(verdict === 'approve' ? 'approved' : 'rejected', { days }))
        onClose()
        await queryClient.invalidateQueries(trpc.subscription.pathFilter())
      },
    }),
  )
  const facts = [
    { key: 'user', term: t('userId'), value: request.userId },
    { key: 'days', term: t('ledger.days'), value: days },
    { key: 'reason', term: t('ledger.reason'), value: request.reason },
    { key: 'by', term: t('requestedBy'), value: request.requestedBy },
  ]
  return (
    <Dialog
      title={t(verdict === 'approve' ? 'approveTitle' : 'rejectTitle', { days })}
      lead={t(verdict === 'approve' ? 'approveLead' : 'rejectLead')}
      submitLabel={t(verdict === 'approve' ? 'approveDays' : 'rejectDays', { days })}
      danger={verdict === 'reject'}
      submitting={decide.isPending}
      failure={failureOf(decide.error)?.title ?? null}
      onSubmit={() => decide.mutate({ id: request.id, verdict })}
      onClose={onClose}
    >
      <DescriptionList items={facts} wide />
    </Dialog>
  )
}

/** The second person's choice; who asked sees why it is not theirs. */
export function DecideRequest({ request }: { request: GrantRequest }) {
  const t = useTranslations('subscriptions')
  const forbidden = useForbidden('grant.approve')
  const said = useTranslations('approvals')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const denied = forbidden && t('decideForbidden', forbidden)
  const obstacleOf = useObstacle()
  return (
    <span className={styles['decide']}>
      <ActionButton
        icon={<Icon name="check" />}
        busy={false}
        hint={t('approveHint')}
        disabledReason={denied ?? obstacleOf(request.obstacle)}
        onPress={() => setVerdict('approve')}
      >
        {t('approve')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="close" />}
        busy={false}
        hint={t('rejectHint')}
        disabledReason={denied}
        onPress={() => setVerdict('reject')}
      >
        {request.isOwn ? said('withdraw') : t('reject')}
      </ActionButton>
      {verdict && <DecisionDialog request={request} verdict={verdict} onClose={() => setVerdict(null)} />}
    </span>
  )
}
