'use client'

import type { AlertChannelOverview } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/loaded.tsx'
import { Permitted } from '../../kit/page/permitted.tsx'
import { paths } from '../../paths.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChannelTable } from './channel-table.tsx'
import { MessageTable, WATCH_MS } from './message-table.tsx'

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
