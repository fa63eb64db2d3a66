'use client'

import {
  DiagnosisChange,
  type DiagnosisDesk,
  type DraftProgram,
  type ProgramBounds,
  type WaitingApproval,
} from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { columnsOf } from '../../kit/list/columns.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { FailureLines, FailurePanel } from '../../ui/failure-panel.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable, RecordsPanel } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Raw } from '../../ui/text.tsx'
import { type Described, useDecide, WaitingChanges } from '../approvals/waiting-changes.tsx'
import { ChangeList } from './change-list.tsx'
import { StartDraft, shownDesk, WithdrawPublished } from './desk-acts.tsx'
import styles from './diagnosis.module.css'
import { useFieldName } from './diagnosis-words.ts'

/** Read where there is a draft. */
const DraftDesk = dynamic(() => import('./draft-desk.tsx').then((module) => module.DraftDesk))

const ProgramBoundsTable = dynamic(() =>
  import('../program-bounds/program-bounds.tsx').then((module) => module.ProgramBoundsTable),
)

const unitOf = { frequency_hz: 'Hz', pulse_width_us: 'µs' } as const

/** What phones read today. */
function PublishedPrograms({ published }: { published: DiagnosisDesk['published'] }) {
  const t = useTranslations('diagnosis')
  const column = columnsOf(useFieldName())
  const { body_parts, programs } = published.content
  const partName = (code: string) => body_parts.find((part) => part.code === code)?.name ?? code
  const intensity = ({ intensity_min, intensity_max, intensity_default }: DraftProgram) =>
    `${intensity_min}–${intensity_max} (${intensity_default})`
  const columns: Column<DraftProgram>[] = [
    column.cell('name', ({ name }) => name),
    column.cell('code', ({ code }) => <Raw>{code}</Raw>),
    column.cell('body_part', ({ body_part }) => partName(body_part)),
    column.count('frequency_hz', ({ frequency_hz }) => `${frequency_hz} ${unitOf.frequency_hz}`),
    column.count('pulse_width_us', ({ pulse_width_us }) => `${pulse_width_us} ${unitOf.pulse_width_us}`),
    columnsOf(t).count('intensity', intensity),
    column.cell('premium', ({ premium }) => t(premium ? 'yes' : 'no')),
  ]
  return (
    <Panel title={t('publishedPrograms', { version: published.version })}>
      <PlainTable
        caption={t('programs')}
        rows={programs}
        rowKey={({ code }) => code}
        empty={t('emptyConfiguration')}
        columns={columns}
      />
    </Panel>
  )
}

/** Every version phones ever read. */
function VersionHistory({ desk }: { desk: DiagnosisDesk }) {
  const t = useTranslations('diagnosis')
  const column = columnsOf(t)
  const columns: Column<DiagnosisDesk['history'][number]>[] = [
    column.text('version', ({ version }) => `v${version}`),
    column.cell('publishedAt', ({ publishedAt }) => publishedAt && <DateTime time={publishedAt} />),
    column.text('publishedBy', ({ publishedBy }) => publishedBy ?? t('installation')),
    column.text('basedOn', ({ basedOn }) => (basedOn === null ? '—' : `v${basedOn}`)),
    column.count('programs', ({ programs }) => programs),
    column.text('note', ({ note }) => note ?? '—'),
    column.cell(
      'act',
      ({ version }) => version !== desk.published.version && <StartDraft desk={desk} version={version} />,
    ),
  ]
  return (
    <RecordsPanel
      title={t('history')}
      rows={desk.history}
      rowKey={({ version }) => String(version)}
      empty={t('noChanges')}
      columns={columns}
    />
  )
}

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
