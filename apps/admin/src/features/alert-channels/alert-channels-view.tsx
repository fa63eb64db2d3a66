'use client'

import type { AlertChannelOverview, AlertChannelRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded, Permitted } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { Badge, type Look } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { BackLink } from '../../ui/detail-page.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyValue } from '../../ui/text.tsx'
import styles from './alert-channels.module.css'
import { MessageTable, WATCH_MS } from './message-table.tsx'

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
function ChannelTable({ channels, sender }: AlertChannelOverview) {
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

function Told({ overview }: { overview: AlertChannelOverview }) {
  const t = useTranslations('alertChannels')
  const { channels, sender } = overview
  if (channels.length === 0)
    return (
      <Panel>
        <BlankSlate icon="alert" title={t('noChannels')} hint={t('noChannelsHint')} />
      </Panel>
    )
  return (
    <>
      {sender ? (
        <Notice tone="info" icon="checkCircle">
          {t('sentBy', { role: sender.role })} <DateTime time={sender.since} exact />
        </Notice>
      ) : (
        <Notice tone="bad">{t('nobodySendsNotice')}</Notice>
      )}
      <ChannelTable {...overview} />
    </>
  )
}

function Channels() {
  const query = useTRPC().alertChannel.overview.queryOptions()
  const overview = useQuery({ ...query, refetchInterval: WATCH_MS })
  return (
    <Loaded query={overview} skeleton={<Skeleton height={200} />}>
      {(read) => <Told overview={read} />}
    </Loaded>
  )
}

/** Where alerts are told outside the console, how each channel stands, and what was sent. */
export function AlertChannelsView() {
  const t = useTranslations('alertChannels')
  return (
    <>
      <PageHeader
        before={<BackLink href={paths.alerts({ view: 'alerts' })}>{t('back')}</BackLink>}
        title={t('title')}
      />
      <Permitted
        to="alert.channels"
        icon="alert"
        title={t('forbiddenTitle')}
        why={(who) => t('forbidden', who)}
      >
        <div className={layout['rows']}>
          <Channels />
          <section aria-label={t('messages')}>
            <Panel>
              <MessageTable />
            </Panel>
          </section>
        </div>
      </Permitted>
    </>
  )
}
