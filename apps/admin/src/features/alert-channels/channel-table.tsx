'use client'

import type { AlertChannelOverview, AlertChannelRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import styles from './alert-channels.module.css'
import { ChannelBadge } from './channel-badge.tsx'

type SendTestProps = { channel: AlertChannelRow; sends: boolean }

/** Asks for a test message; how it ended stands among the messages. */
function SendTest({ channel: { id, testWaits }, sends }: SendTestProps) {
  const t = useTranslations('alertChannels')
  const send = useAct({
    call: (api) => api.alertChannel.test.mutate,
    invalidates: ['alertChannel'],
    done: () => t('testAsked'),
  })
  const waits = testWaits ? t('testWaits') : null
  return (
    <ActButton
      icon="upload"
      label={t('test')}
      hint={t('testHint')}
      quiet
      obstacle={sends ? waits : t('nobodySends')}
      act={send}
      input={{ id }}
    />
  )
}

function LastFailure({ channel }: { channel: AlertChannelRow }) {
  const t = useTranslations('alertChannels')
  const { lastFailureAt, lastError, nextAttemptAt } = channel
  if (!lastFailureAt) return <EmptyValue />
  return (
    <span className={styles['stack']}>
      <DateTime time={lastFailureAt} relative />
      <span className={styles['faint']}>{lastError}</span>
      {nextAttemptAt && (
        <span className={styles['faint']}>
          {t('nextAttempt')} <DateTime time={nextAttemptAt} relative />
        </span>
      )}
    </span>
  )
}

/** Every channel: how it stands, and what it waits for. */
export function ChannelTable({ channels, sender }: AlertChannelOverview) {
  const t = useTranslations('alertChannels')
  const isHeartbeat = ({ kind }: AlertChannelRow) => kind === 'heartbeat'
  return (
    <Panel title={t('channels')}>
      <PlainTable
        caption={t('channels')}
        rows={channels}
        rowKey={({ id }) => id}
        empty={t('noChannels')}
        columns={[
          {
            key: 'channel',
            title: t('channel'),
            cell: ({ kind, host }) => (
              <span className={styles['stack']}>
                <strong>{t(`kinds.${kind}`)}</strong>
                <span className={styles['faint']}>{host}</span>
              </span>
            ),
          },
          { key: 'state', title: t('state'), cell: ({ state }) => <ChannelBadge state={state} /> },
          {
            key: 'success',
            title: t('lastSuccess'),
            cell: ({ lastSuccessAt }) =>
              lastSuccessAt ? <DateTime time={lastSuccessAt} relative /> : <EmptyValue />,
          },
          { key: 'failure', title: t('lastFailure'), cell: (channel) => <LastFailure channel={channel} /> },
          {
            key: 'waiting',
            title: t('waiting'),
            align: 'end',
            cell: (channel) => (isHeartbeat(channel) ? <EmptyValue /> : channel.waiting),
          },
          {
            key: 'acts',
            title: t('acts'),
            cell: (channel) =>
              isHeartbeat(channel) ? <EmptyValue /> : <SendTest channel={channel} sends={sender !== null} />,
          },
        ]}
      />
    </Panel>
  )
}
