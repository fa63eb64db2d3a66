'use client'

import type { FailingJob } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Raw } from '../../ui/raw.tsx'
import styles from './jobs.module.css'
import { useJobName } from './use-job-name.ts'

function useJobAct(act: 'retry' | 'cancel', onDone?: () => void) {
  const t = useTranslations('jobs')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return useMutation(
    trpc.job[act].mutationOptions({
      onSuccess: async () => {
        announce(t(act === 'retry' ? 'retried' : 'cancelled'))
        onDone?.()
        await queryClient.invalidateQueries(trpc.job.pathFilter())
      },
    }),
  )
}

function CancelDialog({ job, onClose }: { job: FailingJob; onClose: () => void }) {
  const t = useTranslations('jobs')
  const failureOf = useFailure()
  const nameOf = useJobName()
  const cancel = useJobAct('cancel', onClose)
  return (
    <Dialog
      title={t('cancelTitle', { name: nameOf(job.job) })}
      lead={t('cancelLead')}
      submitLabel={t('cancelJob')}
      danger
      submitting={cancel.isPending}
      failure={failureOf(cancel.error)?.title ?? null}
      onSubmit={() => cancel.mutate({ id: job.id })}
      onClose={onClose}
    >
      <DescriptionList
        wide
        items={[
          { key: 'key', term: t('key'), value: job.key },
          { key: 'error', term: t('lastError'), value: <Raw>{job.lastError}</Raw> },
        ]}
      />
    </Dialog>
  )
}

function JobActs({ job }: { job: FailingJob }) {
  const t = useTranslations('jobs')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const retry = useJobAct('retry')
  const [cancelling, setCancelling] = useState(false)
  const reason = job.isRunning ? t('isRunning') : null
  return (
    <span className={styles['acts']}>
      <ActionButton
        icon={<Icon name="sync" />}
        busy={retry.isPending}
        hint={t('retryHint')}
        disabledReason={reason}
        onPress={() =>
          retry.mutate({ id: job.id }, { onError: (error) => announce(failureOf(error)?.title ?? '') })
        }
      >
        {t('retry')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="close" />}
        busy={false}
        hint={t('cancelHint')}
        disabledReason={reason}
        onPress={() => setCancelling(true)}
      >
        {t('cancelJob')}
      </ActionButton>
      {cancelling && <CancelDialog job={job} onClose={() => setCancelling(false)} />}
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
