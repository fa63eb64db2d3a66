'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChannelTable } from './channel-table.tsx'
import { MessageTable, WATCH_MS } from './message-table.tsx'

function Channels() {
  const t = useTranslations('alertChannels')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const overview = useQuery({ ...trpc.alertChannel.overview.queryOptions(), refetchInterval: WATCH_MS })
  const failure = failureOf(overview.error)
  if (failure && !overview.data)
    return (
      <Panel>
        <FailurePanel failure={failure} onRetry={() => void overview.refetch()} />
      </Panel>
    )
  if (!overview.data) return <Skeleton height={200} />
  const { channels, sender } = overview.data
  const isSet = channels.length > 0
  return (
    <>
      {isSet && !sender && <Notice tone="bad">{t('nobodySendsNotice')}</Notice>}
      {isSet && sender && (
        <Notice tone="info" icon="checkCircle">
          {t('sentBy', { role: sender.role })} <DateTime time={sender.since} exact />
        </Notice>
      )}
      {isSet ? (
        <ChannelTable {...overview.data} />
      ) : (
        <Panel>
          <BlankSlate icon="alert" title={t('noChannels')} hint={t('noChannelsHint')} />
        </Panel>
      )}
    </>
  )
}

/** Where alerts are told outside the console, how each channel stands, and what was sent. */
export function AlertChannelsView() {
  const t = useTranslations('alertChannels')
  const forbidden = useForbidden('alert.channels')
  return (
    <>
      <PageHeader
        before={<BackLink href={paths.alerts({ view: 'alerts' })}>{t('back')}</BackLink>}
        title={t('title')}
      />
      {forbidden ? (
        <Panel>
          <BlankSlate icon="alert" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
        </Panel>
      ) : (
        <div className={layout['rows']}>
          <Channels />
          <section aria-label={t('messages')}>
            <Panel>
              <MessageTable />
            </Panel>
          </section>
        </div>
      )}
    </>
  )
}
