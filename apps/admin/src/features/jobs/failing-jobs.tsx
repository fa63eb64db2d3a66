'use client'

import type { FailingJob } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import layout from '../../ui/layout.module.css'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import { useJobName } from './job-words.ts'
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
      <DirectAct of={retryJob} input={{ id: job.id }} obstacle={job.isRunning ? t('isRunning') : null} />
      <CancelJob job={job} />
    </span>
  )
}

/** Jobs that failed at least once: what went wrong, and whether they will be tried again. */
export function FailingJobs({ failing }: { failing: readonly FailingJob[] }) {
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
