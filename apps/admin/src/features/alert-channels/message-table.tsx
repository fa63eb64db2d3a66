'use client'

import type { AlertMessageRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useQueryStates } from 'nuqs'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { useAlertKind } from '../alerts/use-alert-kind.ts'
import { useListPage } from '../lists/use-list-page.ts'
import styles from './alert-channels.module.css'
import { MessageBadge } from './channel-badge.tsx'
import { messageListQueryOf, messageParsers } from './message-params.ts'

function Content({ message: { kind, alertKind, subject, alerts } }: { message: AlertMessageRow }) {
  const t = useTranslations('alertChannels')
  const kindOf = useAlertKind()
  return (
    <span className={styles['lead']}>
      <strong>{alertKind ? kindOf(alertKind) : t(`messageKinds.${kind}`)}</strong>
      {alertKind && (
        <span className={styles['faint']}>
          {t(`messageKinds.${kind}`)} · {subject}
        </span>
      )}
      {kind === 'bundle' && <span className={styles['faint']}>{t('alertsTold', { alerts })}</span>}
    </span>
  )
}

function useMessageColumns(): Column<AlertMessageRow>[] {
  const t = useTranslations('alertChannels')
  return [
    {
      key: 'content',
      title: t('content'),
      skeleton: 168,
      card: 'head',
      cell: (message) => <Content message={message} />,
    },
    {
      key: 'channel',
      title: t('channel'),
      skeleton: 120,
      card: 'line',
      cell: ({ channelKind, host }) => (
        <span className={styles['stack']}>
          {t(`kinds.${channelKind}`)}
          <span className={styles['faint']}>{host}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('state'),
      skeleton: 72,
      card: 'line',
      cell: ({ state, error }) => (
        <span className={styles['stack']}>
          <MessageBadge state={state} />
          {error && <span className={styles['faint']}>{error}</span>}
        </span>
      ),
    },
    {
      key: 'at',
      title: t('at'),
      skeleton: 96,
      card: 'line',
      cell: ({ createdAt }) => <DateTime time={createdAt} relative />,
    },
  ]
}

/** What was sent, newest first. */
export function MessageTable({ watchMs }: { watchMs: number }) {
  const t = useTranslations('alertChannels')
  const trpc = useTRPC()
  const [params] = useQueryStates(messageParsers)
  const query = trpc.alertChannel.messages.queryOptions(messageListQueryOf(params))
  return (
    <DataTable
      name="alert-messages"
      caption={t('messages')}
      columns={useMessageColumns()}
      rowKey={({ id }) => id}
      rowHref={() => null}
      empty={<BlankSlate icon="inbox" title={t('noMessagesTitle')} hint={t('noMessagesHint')} />}
      {...useListPage({ ...query, refetchInterval: watchMs })}
    />
  )
}
