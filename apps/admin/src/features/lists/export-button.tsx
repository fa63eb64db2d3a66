'use client'

import { type ExportName, exportPermissions } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import superjson from 'superjson'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { useToday } from '../../ui/clock.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'

async function takeOut(name: ExportName, { query, today }: { query: object; today: string }): Promise<void> {
  const answer = await askForFile(`/console/exports/${name}`, {
    headers: { 'content-type': 'application/json' },
    body: superjson.stringify(query),
  })
  saveFile(await answer.blob(), `${name}-${today}.csv`)
}

/** The whole filtered list as a file; that it was taken is on record. */
export function ExportButton({ name, query }: { name: ExportName; query: object }) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden(exportPermissions[name])
  const today = useToday()
  const take = useMutation({
    mutationFn: () => takeOut(name, { query, today }),
    onMutate: () => announce(t('exporting'), { quiet: true }),
    onSuccess: () => announce(t('exported')),
    onError: (error) => announce(t('exportFailed', { reason: failureOf(error)?.title ?? '' })),
  })
  return (
    <ActionButton
      quiet
      icon={<Icon name="download" />}
      busy={take.isPending}
      hint={t('exportHint')}
      disabledReason={forbidden && t('exportForbidden', forbidden)}
      onPress={() => take.mutate()}
    >
      {t('export')}
    </ActionButton>
  )
}
