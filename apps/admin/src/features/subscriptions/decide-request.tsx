'use client'

import type { GrantRequest } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../format.ts'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Forbidden } from '../../session/use-forbidden.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { useObstacle } from '../approvals/use-obstacle.ts'
import styles from './subscriptions.module.css'

/** What both verdicts ask and say. */
function useVerdict(request: GrantRequest, verdict: 'approve' | 'reject') {
  const t = useTranslations('subscriptions')
  const isApproval = verdict === 'approve'
  const days = t('signedDays', signedDays(request.days))
  const act = useAct({
    call: (api) => api.subscription.decideRequest.mutate,
    invalidates: ['subscription'],
    done: () => t(isApproval ? 'approved' : 'rejected', { days }),
  })
  const facts = [
    { key: 'user', term: t('userId'), value: request.userId },
    { key: 'days', term: t('ledger.days'), value: days },
    { key: 'reason', term: t('ledger.reason'), value: request.reason },
    { key: 'by', term: t('requestedBy'), value: request.requestedBy },
  ]
  return {
    act,
    input: { id: request.id, verdict },
    confirm: {
      title: t(isApproval ? 'approveTitle' : 'rejectTitle', { days }),
      lead: t(isApproval ? 'approveLead' : 'rejectLead'),
      submitLabel: t(isApproval ? 'approveDays' : 'rejectDays', { days }),
      danger: !isApproval,
      children: <DescriptionList items={facts} wide />,
    },
    permission: 'grant.approve',
    forbidden: (who: Forbidden) => t('decideForbidden', who),
  } as const
}

/** The second person's choice; who asked sees why it is not theirs. */
export function DecideRequest({ request }: { request: GrantRequest }) {
  const t = useTranslations('subscriptions')
  const said = useTranslations('approvals')
  const obstacleOf = useObstacle()
  return (
    <span className={styles['decide']}>
      <ActButton
        icon="check"
        label={t('approve')}
        hint={t('approveHint')}
        obstacle={obstacleOf(request.obstacle)}
        {...useVerdict(request, 'approve')}
      />
      <ActButton
        icon="close"
        label={request.isOwn ? said('withdraw') : t('reject')}
        hint={t('rejectHint')}
        {...useVerdict(request, 'reject')}
      />
    </span>
  )
}
