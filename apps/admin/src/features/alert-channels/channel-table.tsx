'use client'

import type { AlertChannelOverview, AlertChannelRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import layout from '../../ui/layout.module.css'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import styles from './alert-channels.module.css'

const looks: Record<AlertChannelRow['state'], Look> = {
  failing: { tone: 'bad' },
  well: { tone: 'ok' },
  unproven: { tone: 'quiet' },
}

/** Asks for a test message; how it ended stands among the messages. */
const sendTest = defineAct(() => useTranslations('alertChannels'), {
  icon: 'upload',
  words: (t) => ({ label: t('test'), hint: t('testHint') }),
  act: (t) => ({
    call: (api) => api.alertChannel.test.mutate,
    invalidates: ['alertChannel'],
    done: () => t('testAsked'),
  }),
})

function LastFailure({ channel }: { channel: AlertChannelRow }) {
  const t = useTranslations('alertChannels')
  const { lastFailureAt, lastError, nextAttemptAt } = channel
  if (!lastFailureAt) return <EmptyValue />
  return (
    <span className={styles['stack']}>
      <DateTime time={lastFailureAt} relative />
      <span className={layout['note']}>{lastError}</span>
      {nextAttemptAt && (
        <span className={layout['note']}>
          {t('nextAttempt')} <DateTime time={nextAttemptAt} relative />
        </span>
      )}
    </span>
  )
}

/** Every channel: how it stands, and what it waits for. */
export function ChannelTable({ channels, sender }: AlertChannelOverview) {
  const t = useTranslations('alertChannels')
  const obstacleOf = ({ testWaits }: AlertChannelRow) => {
    if (!sender) return t('nobodySends')
    return testWaits ? t('testWaits') : null
  }
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
                <span className={layout['note']}>{host}</span>
              </span>
            ),
          },
          {
            key: 'state',
            title: t('state'),
            cell: ({ state }) => <Badge {...looks[state]}>{t(`states.${state}`)}</Badge>,
          },
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
              isHeartbeat(channel) ? (
                <EmptyValue />
              ) : (
                <DirectAct of={sendTest} quiet input={{ id: channel.id }} obstacle={obstacleOf(channel)} />
              ),
          },
        ]}
      />
    </Panel>
  )
}
