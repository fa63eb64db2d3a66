'use client'

import type { AlertChannelOverview, AlertChannelRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Badge, type Look } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import layout from '../../ui/layout.module.css'
import { RecordsPanel } from '../../ui/plain-table.tsx'
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
  const column = columnsOf(t)
  const name = ({ kind, host }: AlertChannelRow) => (
    <span className={styles['stack']}>
      <strong>{t(`kinds.${kind}`)}</strong>
      <span className={layout['note']}>{host}</span>
    </span>
  )
  /** A heartbeat has neither messages that wait nor a test. */
  const ofMessages = (channel: AlertChannelRow, shown: ReactNode) =>
    channel.kind === 'heartbeat' ? <EmptyValue /> : shown
  const columns: Column<AlertChannelRow>[] = [
    column.cell('channel', name),
    column.cell('state', ({ state }) => <Badge {...looks[state]}>{t(`states.${state}`)}</Badge>),
    column.time('lastSuccess', ({ lastSuccessAt }) => lastSuccessAt, { relative: true }),
    column.cell('lastFailure', (channel) => <LastFailure channel={channel} />),
    column.count('waiting', (channel) => ofMessages(channel, channel.waiting)),
    column.cell('acts', (channel) =>
      ofMessages(
        channel,
        <DirectAct of={sendTest} quiet input={{ id: channel.id }} obstacle={obstacleOf(channel)} />,
      ),
    ),
  ]
  return (
    <RecordsPanel
      title={t('channels')}
      rows={channels}
      rowKey={({ id }) => id}
      empty={t('noChannels')}
      columns={columns}
    />
  )
}
