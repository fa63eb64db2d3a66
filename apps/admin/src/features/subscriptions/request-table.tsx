'use client'

import type { GrantRequest } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../format.ts'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import type { Forbidden } from '../../session/operator-context.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
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
function DecideRequest({ request }: { request: GrantRequest }) {
  const t = useTranslations('subscriptions')
  const said = useTranslations('approvals')
  const obstacleOf = useObstacle()
  return (
    <span className={styles['decide']}>
      <ActButton
        icon="check"
        quiet
        label={t('approve')}
        hint={t('approveHint')}
        obstacle={obstacleOf(request.obstacle)}
        {...useVerdict(request, 'approve')}
      />
      <ActButton
        icon="close"
        quiet
        label={request.isOwn ? said('withdraw') : t('reject')}
        hint={t('rejectHint')}
        {...useVerdict(request, 'reject')}
      />
    </span>
  )
}

const looks: Record<GrantRequest['state'], Look> = {
  requested: { tone: 'wait' },
  approved: { tone: 'ok' },
  rejected: { tone: 'quiet' },
}

function Outcome({ request }: { request: GrantRequest }) {
  const t = useTranslations('subscriptions')
  if (request.state === 'requested') return <DecideRequest request={request} />
  return (
    <span className={styles['decided']}>
      <Badge {...looks[request.state]}>{t(`requestStates.${request.state}`)}</Badge>
      {request.decidedBy && <span className={styles['by']}>{request.decidedBy}</span>}
    </span>
  )
}

/** Requests for days that one person may not give alone, and what became of them. */
export function RequestTable({
  caption,
  requests,
  withUser = false,
}: {
  caption: string
  requests: readonly GrantRequest[]
  withUser?: boolean
}) {
  const t = useTranslations('subscriptions')
  const column = columnsOf(t)
  const user = column.id('columns.user', ({ userId }: GrantRequest) => userId, {
    name: t('userId'),
    href: paths.subscription,
  })
  const columns: Column<GrantRequest>[] = [
    ...(withUser ? [user] : []),
    column.count('ledger.days', ({ days }) => t('signedDays', signedDays(days))),
    column.cell('ledger.reason', ({ reason }) => reason),
    column.cell('requestedBy', ({ requestedBy }) => requestedBy),
    column.time('requestedAt', ({ createdAt }) => createdAt),
    column.cell('decision', (request) => <Outcome request={request} />),
  ]
  return (
    <PlainTable
      caption={caption}
      rows={requests}
      rowKey={({ id }) => id}
      empty={t('noRequests')}
      columns={columns}
    />
  )
}
