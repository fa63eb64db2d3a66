'use client'

import type { DiagnosisDesk } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DateTime } from '../../ui/date-time.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { StartDraft } from './desk-acts.tsx'

/** Every version phones ever read. */
export function VersionHistory({ desk }: { desk: DiagnosisDesk }) {
  const t = useTranslations('diagnosis')
  return (
    <Panel title={t('history')}>
      <PlainTable
        caption={t('history')}
        rows={desk.history}
        rowKey={({ version }) => String(version)}
        empty={t('noChanges')}
        columns={[
          { key: 'version', title: t('version'), cell: ({ version }) => `v${version}` },
          {
            key: 'published',
            title: t('publishedAt'),
            cell: ({ publishedAt }) => publishedAt && <DateTime time={publishedAt} />,
          },
          { key: 'by', title: t('publishedBy'), cell: ({ publishedBy }) => publishedBy ?? t('installation') },
          {
            key: 'based',
            title: t('basedOn'),
            cell: ({ basedOn }) => (basedOn === null ? '—' : `v${basedOn}`),
          },
          { key: 'programs', title: t('programs'), align: 'end', cell: ({ programs }) => programs },
          { key: 'note', title: t('note'), cell: ({ note }) => note ?? '—' },
          {
            key: 'back',
            title: t('act'),
            cell: ({ version }) =>
              version !== desk.published.version && <StartDraft desk={desk} version={version} />,
          },
        ]}
      />
    </Panel>
  )
}
