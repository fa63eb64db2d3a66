'use client'

import type { FailingJob } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import styles from './jobs.module.css'
import { useJobName } from './use-job-name.ts'

function RetryJob({ job: { id, isRunning } }: { job: FailingJob }) {
  const t = useTranslations('jobs')
  const retry = useAct({
    call: (api) => api.job.retry.mutate,
    invalidates: ['job'],
    done: () => t('retried'),
  })
  return (
    <ActButton
      icon="sync"
      label={t('retry')}
      hint={t('retryHint')}
      obstacle={isRunning ? t('isRunning') : null}
      act={retry}
      input={{ id }}
    />
  )
}

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
  return (
    <span className={styles['acts']}>
      <RetryJob job={job} />
      <CancelJob job={job} />
    </span>
  )
}

/** Jobs that failed at least once: what went wrong, and whether they will be tried again. */
export function FailingJobs({ failing }: { failing: readonly FailingJob[] }) {
  const t = useTranslations('jobs')
  const nameOf = useJobName()
  return (
    <Panel title={t('failing')}>
      <PlainTable
        caption={t('failing')}
        rows={failing}
        rowKey={({ id }) => id}
        empty={t('noFailing')}
        columns={[
          {
            key: 'job',
            title: t('job'),
            cell: ({ job, key }) => (
              <span className={styles['stack']}>
                {nameOf(job)}
                {key && <Raw className={styles['cron']}>{key}</Raw>}
              </span>
            ),
          },
          {
            key: 'attempts',
            title: t('attempts'),
            align: 'end',
            cell: ({ attempts, maxAttempts }) => t('ofAttempts', { attempts, most: maxAttempts }),
          },
          {
            key: 'error',
            title: t('lastError'),
            cell: ({ lastError }) => <Raw className={styles['error']}>{lastError}</Raw>,
          },
          { key: 'runAt', title: t('nextRun'), cell: ({ runAt }) => <DateTime time={runAt} relative /> },
          { key: 'acts', title: t('acts'), cell: (job) => <JobActs job={job} /> },
        ]}
      />
    </Panel>
  )
}
