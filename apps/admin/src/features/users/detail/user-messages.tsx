'use client'

import type { MessageAttempt, UserDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { DirectAct } from '../../../kit/act/define-act.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import page from '../../../ui/detail-page.module.css'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from './detail.module.css'
import { testMessage } from './user-acts.tsx'

/** Why nothing was sent: the platform's number, with what it means where that is known. */
function Refused({ failure }: { failure: string }) {
  const t = useTranslations('users')
  const reasons: Readonly<Record<string, string>> = useMessages().users.messageFailures
  return (
    <span className={styles['refused']}>
      <Badge tone="bad">{t('messageRefused', { code: failure })}</Badge>
      {reasons[failure] && <span className={page['zone']}>{reasons[failure]}</span>}
    </span>
  )
}

type Messages = { remaining: number; items: readonly MessageAttempt[] }

function MessageTable({ messages: { remaining, items } }: { messages: Messages }) {
  const t = useTranslations('users')
  const column = columnsOf(t)
  const sent = <Badge tone="ok">{t('messageSent')}</Badge>
  const columns: Column<MessageAttempt>[] = [
    column.time('messageAt', ({ at }) => at),
    column.text('messageKind', ({ kind }) => t(`messageKinds.${kind}`)),
    column.cell('columns.state', ({ failure }) => (failure === null ? sent : <Refused failure={failure} />)),
  ]
  return (
    <>
      <p className={styles['allowed']}>{t('messagesAllowed', { count: remaining })}</p>
      <PlainTable
        caption={t('messages')}
        rows={items}
        rowKey={({ id }) => id}
        empty={t('noMessages')}
        columns={columns}
      />
    </>
  )
}

/** What was sent to the user, and what the platform refused. */
export function UserMessages({ user }: { user: UserDetail }) {
  const t = useTranslations('users')
  const failureOf = useFailure()
  const messages = useQuery(useTRPC().message.ofUser.queryOptions({ userId: user.id }))
  const failure = messages.data ? null : failureOf(messages.error)
  return (
    <Panel
      title={t('messages')}
      {...(user.state !== 'erased' && {
        aside: <DirectAct of={testMessage} quiet input={{ userId: user.id }} />,
      })}
    >
      {failure && <FailurePanel failure={failure} onRetry={() => void messages.refetch()} />}
      {!messages.data && !failure && <Skeleton height={80} />}
      {messages.data && <MessageTable messages={messages.data} />}
    </Panel>
  )
}
