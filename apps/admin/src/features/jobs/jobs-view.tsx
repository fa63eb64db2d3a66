'use client'

import type { FailingJob, JobOverview, JobQueueRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { ActButton } from '../../kit/act/act-button.tsx'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Loaded, Permitted } from '../../kit/page/page-content.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import layout from '../../ui/layout.module.css'
import { PageHeader } from '../../ui/page-header.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Raw } from '../../ui/text.tsx'
import { useJobName, useTimes } from './job-words.ts'
import styles from './jobs.module.css'

const retryJob = defineAct(() => useTranslations('jobs'), {
  icon: 'sync',
  words: (t) => ({ label: t('retry'), hint: t('retryHint') }),
  act: (t) => ({ call: (api) => api.job.retry.mutate, invalidates: ['job'], done: () => t('retried') }),
})

function CancelJob({ job: { id, job, key, lastError, isRunning } }: { job: FailingJob }) {
  const t = useTranslations('jobs')
  const nameOf = useJobName()
  const cancel = useAct({
    call: (api) => api.job.cancel.mutate,
    invalidates: ['job'],
    done: () => t('cancelled'),
  })
  const facts = [
    { key: 'key', term: t('key'), value: key },
    { key: 'error', term: t('lastError'), value: <Raw>{lastError}</Raw> },
  ]
  return (
    <ActButton
      icon="close"
      quiet
      label={t('cancelJob')}
      hint={t('cancelHint')}
      obstacle={isRunning ? t('isRunning') : null}
      act={cancel}
      input={{ id }}
      confirm={{
        title: t('cancelTitle', { name: nameOf(job) }),
        lead: t('cancelLead'),
        submitLabel: t('cancelJob'),
        danger: true,
        children: <DescriptionList wide items={facts} />,
      }}
    />
  )
}

function JobActs({ job }: { job: FailingJob }) {
  const t = useTranslations('jobs')
  return (
    <span className={layout['acts']}>
      <DirectAct
        of={retryJob}
        quiet
        input={{ id: job.id }}
        obstacle={job.isRunning ? t('isRunning') : null}
      />
      <CancelJob job={job} />
    </span>
  )
}

/** Jobs that failed at least once: what went wrong, and whether they will be tried again. */
function FailingJobs({ failing }: { failing: readonly FailingJob[] }) {
  const t = useTranslations('jobs')
  const column = columnsOf(t)
  const nameOf = useJobName()
  const name = ({ job, key }: FailingJob) => (
    <span className={styles['stack']}>
      {nameOf(job)}
      {key && <Raw className={styles['cron']}>{key}</Raw>}
    </span>
  )
  const columns: Column<FailingJob>[] = [
    column.cell('job', name),
    column.count('attempts', ({ attempts, maxAttempts }) => t('ofAttempts', { attempts, most: maxAttempts })),
    column.cell('lastError', ({ lastError }) => <Raw className={styles['error']}>{lastError}</Raw>),
    column.time('nextRun', ({ runAt }) => runAt, { relative: true }),
    column.cell('acts', (job) => <JobActs job={job} />),
  ]
  return (
    <RecordsPanel
      title={t('failing')}
      rows={failing}
      rowKey={({ id }) => id}
      empty={t('noFailing')}
      columns={columns}
    />
  )
}

const WATCH_MS = 10_000

function Dead({ count }: { count: number }) {
  if (count === 0) return count
  return <Badge tone="bad">{String(count)}</Badge>
}

function Queue({ queue }: { queue: readonly JobQueueRow[] }) {
  const t = useTranslations('jobs')
  const column = columnsOf(t)
  const nameOf = useJobName()
  const counts = (['due', 'running', 'scheduled', 'failing'] as const).map((key) =>
    column.count<JobQueueRow>(`counts.${key}`, (row) => row[key]),
  )
  const columns: Column<JobQueueRow>[] = [
    column.text('job', ({ job }) => nameOf(job)),
    ...counts,
    column.count('counts.dead', ({ dead }) => <Dead count={dead} />),
    column.time('oldestDue', ({ oldestDueAt }) => oldestDueAt, { relative: true }),
  ]
  return (
    <RecordsPanel
      title={t('queue')}
      rows={queue}
      rowKey={({ job }) => job}
      empty={t('emptyQueue')}
      columns={columns}
    />
  )
}

function Schedule({ schedule }: { schedule: JobOverview['schedule'] }) {
  const t = useTranslations('jobs')
  const column = columnsOf(t)
  const told = useTimes()
  const nameOf = useJobName()
  const columns: Column<JobOverview['schedule'][number]>[] = [
    column.text('job', ({ job }) => nameOf(job)),
    column.cell('cron', ({ cron }) => told(cron)),
    column.time('lastRun', ({ lastRunAt }) => lastRunAt, { relative: true }),
  ]
  return (
    <RecordsPanel
      title={t('schedule')}
      rows={schedule}
      rowKey={({ job }) => job}
      empty={t('emptyQueue')}
      columns={columns}
    />
  )
}

function Workers({ workers }: { workers: JobOverview['workers'] }) {
  const t = useTranslations('jobs')
  const column = columnsOf(t)
  const state = ({ isAlive }: JobOverview['workers'][number]) => (
    <Badge tone={isAlive ? 'ok' : 'quiet'}>{t(isAlive ? 'alive' : 'gone')}</Badge>
  )
  const columns: Column<JobOverview['workers'][number]>[] = [
    column.cell('worker', ({ workerId }) => <Raw className={styles['cron']}>{workerId}</Raw>),
    column.cell('state', state),
    column.time('seenAt', ({ seenAt }) => seenAt, { relative: true }),
  ]
  return (
    <RecordsPanel
      title={t('workers')}
      rows={workers}
      rowKey={({ workerId }) => workerId}
      empty={t('noWorkers')}
      columns={columns}
    />
  )
}

function Overview() {
  const t = useTranslations('jobs')
  const trpc = useTRPC()
  const overview = useQuery({ ...trpc.job.overview.queryOptions(), refetchInterval: WATCH_MS })
  return (
    <Loaded query={overview} skeleton={<Skeleton height={320} />}>
      {({ queue, failing, schedule, workers, readAt }) => (
        <div className={layout['rows']}>
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
  return (
    <>
      <PageHeader title={t('title')} />
      <Permitted to="job.manage" icon="alert" title={t('forbiddenTitle')} why={(who) => t('forbidden', who)}>
        <Overview />
      </Permitted>
    </>
  )
}
