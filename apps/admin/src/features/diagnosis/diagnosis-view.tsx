'use client'

import { DiagnosisChange, type ProgramBounds, type WaitingApproval } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { FailureLines } from '../../ui/failure-lines.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { ProgramBoundsTable } from '../program-bounds/program-bounds-table.tsx'
import { ChangeList } from './change-list.tsx'
import { StartDraft, shownDesk, WithdrawPublished } from './desk-acts.tsx'
import styles from './diagnosis.module.css'
import { DraftDesk } from './draft-desk.tsx'
import { PublishedPrograms } from './published-programs.tsx'
import { VersionHistory } from './version-history.tsx'

const Kept = z.object({ version: z.int(), changes: z.array(DiagnosisChange).default([]) })

/** A publication that waits for a second person, field by field. */
function WaitingPublication({ waiting }: { waiting: WaitingApproval | null }) {
  const t = useTranslations('diagnosis')
  const decide = useDecide({ call: (api) => api.diagnosis.decide.mutate, ...shownDesk })
  const describe = ({ after }: WaitingApproval): Described => {
    const { version, changes } = Kept.parse(after)
    return { name: t('waitingName', { version }), changes: <ChangeList changes={changes} /> }
  }
  return (
    <WaitingChanges
      waiting={waiting ? [waiting] : []}
      describe={describe}
      permission="diagnosis.publish"
      decide={decide}
      failure={decide.failure && <FailureLines failure={decide.failure} />}
    />
  )
}

/** What every program has to keep to, and who may change it. */
function Bounds({ bounds }: { bounds: ProgramBounds }) {
  const t = useTranslations('diagnosis')
  const title = useTranslations('programBounds')('title')
  return (
    <details className={styles['bounds']}>
      <summary>
        <strong>{title}</strong>
        <span>{t('boundsLead')}</span>
      </summary>
      <ProgramBoundsTable value={bounds} />
    </details>
  )
}

/** What phones read, what is being written, what was before. */
export function DiagnosisView() {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const failureOf = useFailure()
  // What is being typed must not be taken away by a window that comes back into focus.
  const desk = useQuery({ ...trpc.diagnosis.desk.queryOptions(), refetchOnWindowFocus: false })
  const failure = failureOf(desk.error)
  if (!desk.data)
    return (
      <>
        <PageHeader title={t('title')} />
        <Panel>
          {failure ? (
            <FailurePanel failure={failure} onRetry={() => void desk.refetch()} />
          ) : (
            <Skeleton height={200} />
          )}
        </Panel>
      </>
    )
  const { published, draft, waiting, bounds } = desk.data
  return (
    <>
      <PageHeader
        title={t('title')}
        aside={
          <span>
            {t('publishedVersion', { version: published.version })}{' '}
            {published.publishedAt && <DateTime time={published.publishedAt} />}
          </span>
        }
        actions={
          <>
            {published.version > 1 && <WithdrawPublished version={published.version} />}
            {!draft && <StartDraft desk={desk.data} version={published.version} />}
          </>
        }
      />
      <WaitingPublication waiting={waiting} />
      <div className={styles['rows']}>
        <Bounds bounds={bounds} />
        {draft ? (
          <DraftDesk key={draft.version} saved={draft} desk={desk.data} />
        ) : (
          <PublishedPrograms published={published} />
        )}
        <VersionHistory desk={desk.data} />
      </div>
    </>
  )
}
