'use client'

import type { GrantRequest } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { signedDays } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { DecideRequest } from './decide-request.tsx'
import styles from './subscriptions.module.css'

const looks: Record<GrantRequest['state'], { tone: Tone; icon: IconName }> = {
  requested: { tone: 'wait', icon: 'clock' },
  approved: { tone: 'ok', icon: 'checkCircle' },
  rejected: { tone: 'quiet', icon: 'dash' },
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
  const user = {
    key: 'user',
    title: t('columns.user'),
    cell: (request: GrantRequest) => (
      <Identifier value={request.userId} name={t('userId')} href={paths.subscription(request)} />
    ),
  }
  return (
    <PlainTable
      caption={caption}
      rows={requests}
      rowKey={({ id }) => id}
      empty={t('noRequests')}
      columns={[
        ...(withUser ? [user] : []),
        {
          key: 'days',
          title: t('ledger.days'),
          align: 'end',
          cell: ({ days }) => t('signedDays', signedDays(days)),
        },
        { key: 'reason', title: t('ledger.reason'), cell: ({ reason }) => reason },
        { key: 'by', title: t('requestedBy'), cell: ({ requestedBy }) => requestedBy },
        { key: 'at', title: t('requestedAt'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
        { key: 'outcome', title: t('decision'), cell: (request) => <Outcome request={request} /> },
      ]}
    />
  )
}
