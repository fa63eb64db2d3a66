'use client'

import type { JobOverview, JobQueueRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/loaded.tsx'
import { useForbidden } from '../../session/use-forbidden.ts'
import { Badge } from '../../ui/badge.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { EmptyValue } from '../../ui/empty-value.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FailingJobs } from './failing-jobs.tsx'
import styles from './jobs.module.css'
import { useJobName } from './use-job-name.ts'
import { useTimes } from './use-times.ts'

const WATCH_MS = 10_000

function Queue({ queue }: { queue: readonly JobQueueRow[] }) {
  const t = useTranslations('jobs')
  const nameOf = useJobName()
  const count = (key: 'due' | 'running' | 'scheduled' | 'failing' | 'dead') => ({
    key,
    title: t(`counts.${key}`),
    align: 'end' as const,
    cell: (row: JobQueueRow) =>
      key === 'dead' && row.dead > 0 ? (
        <Badge tone="bad" icon="alert">
          {String(row.dead)}
        </Badge>
      ) : (
        row[key]
      ),
  })
  return (
    <Panel title={t('queue')}>
      <PlainTable
        caption={t('queue')}
        rows={queue}
        rowKey={({ job }) => job}
        empty={t('emptyQueue')}
        columns={[
          { key: 'job', title: t('job'), cell: ({ job }) => nameOf(job) },
          count('due'),
          count('running'),
          count('scheduled'),
          count('failing'),
          count('dead'),
          {
            key: 'oldest',
            title: t('oldestDue'),
            cell: ({ oldestDueAt }) =>
              oldestDueAt ? <DateTime time={oldestDueAt} relative /> : <EmptyValue />,
          },
        ]}
      />
    </Panel>
  )
}

function Schedule({ schedule }: { schedule: JobOverview['schedule'] }) {
  const t = useTranslations('jobs')
  const told = useTimes()
  const nameOf = useJobName()
  return (
    <Panel title={t('schedule')}>
      <PlainTable
        caption={t('schedule')}
        rows={schedule}
        rowKey={({ job }) => job}
        empty={t('emptyQueue')}
        columns={[
          { key: 'job', title: t('job'), cell: ({ job }) => nameOf(job) },
          {
            key: 'cron',
            title: t('cron'),
            cell: ({ cron }) => told(cron),
          },
          {
            key: 'last',
            title: t('lastRun'),
            cell: ({ lastRunAt }) => (lastRunAt ? <DateTime time={lastRunAt} relative /> : <EmptyValue />),
          },
        ]}
      />
    </Panel>
  )
}

function Workers({ workers }: { workers: JobOverview['workers'] }) {
  const t = useTranslations('jobs')
  return (
    <Panel title={t('workers')}>
      <PlainTable
        caption={t('workers')}
        rows={workers}
        rowKey={({ workerId }) => workerId}
        empty={t('noWorkers')}
        columns={[
          {
            key: 'id',
            title: t('worker'),
            cell: ({ workerId }) => <Raw className={styles['cron']}>{workerId}</Raw>,
          },
          {
            key: 'state',
            title: t('state'),
            cell: ({ isAlive }) => (
              <Badge tone={isAlive ? 'ok' : 'quiet'} icon={isAlive ? 'checkCircle' : 'dash'}>
                {t(isAlive ? 'alive' : 'gone')}
              </Badge>
            ),
          },
          { key: 'seen', title: t('seenAt'), cell: ({ seenAt }) => <DateTime time={seenAt} relative /> },
        ]}
      />
    </Panel>
  )
}

function Overview() {
  const t = useTranslations('jobs')
  const trpc = useTRPC()
  const overview = useQuery({ ...trpc.job.overview.queryOptions(), refetchInterval: WATCH_MS })
  return (
    <Loaded query={overview} skeleton={<Skeleton height={320} />}>
      {({ queue, failing, schedule, workers, readAt }) => (
        <div className={styles['rows']}>
          <p className={styles['stamp']}>
            {t('readAt')} <DateTime time={readAt} exact />
          </p>
          <Queue queue={queue} />
          <FailingJobs failing={failing} />
          <div className={styles['columns']}>
            <Schedule schedule={schedule} />
            <Workers workers={workers} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

/** What the clock has to do, what it could not do, and who does it. */
export function JobsView() {
  const t = useTranslations('jobs')
  const forbidden = useForbidden('job.manage')
  return (
    <>
      <PageHeader title={t('title')} />
      {forbidden ? (
        <Panel>
          <BlankSlate icon="alert" title={t('forbiddenTitle')} hint={t('forbidden', forbidden)} />
        </Panel>
      ) : (
        <Overview />
      )}
    </>
  )
}
