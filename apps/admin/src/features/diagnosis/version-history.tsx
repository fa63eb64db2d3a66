'use client'

import type { DiagnosisDesk } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'

/** Starts a draft from a version: the newest to carry on, an older one to go back to it. */
export function StartDraft({ desk, version }: { desk: DiagnosisDesk; version: number }) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('diagnosis.edit')
  const start = useMutation(
    trpc.diagnosis.startDraft.mutationOptions({
      onSuccess: (fresh) => {
        queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), fresh)
        announce(t('started', { version }))
      },
      onError: (error) => {
        announce(t('saveFailed', { reason: failureOf(error)?.title ?? '' }))
        return queryClient.invalidateQueries(trpc.diagnosis.pathFilter())
      },
    }),
  )
  const newest = version === desk.published.version
  const reason = forbidden ? t('forbidden', forbidden) : desk.draft ? t('draftExists') : null
  return (
    <ActionButton
      icon={<Icon name={newest ? 'edit' : 'refund'} />}
      busy={start.isPending}
      quiet={!newest}
      hint={newest ? t('startHint') : t('goBackHint', { version })}
      disabledReason={reason}
      onPress={() => start.mutate({ version })}
    >
      {newest ? t('start') : t('goBack', { version })}
    </ActionButton>
  )
}

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
