'use client'

import type { DiagnosisDesk } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { columnsOf } from '../../kit/list/columns.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { RecordsPanel } from '../../ui/plain-table.tsx'
import { StartDraft } from './desk-acts.tsx'

/** Every version phones ever read. */
export function VersionHistory({ desk }: { desk: DiagnosisDesk }) {
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
