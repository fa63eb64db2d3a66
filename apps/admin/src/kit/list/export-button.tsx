'use client'

import { type ExportFormat, type ExportName, exportFormats, exportPermissions } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import superjson from 'superjson'
import { useFailure } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceMenu, Popup } from '../../ui/popup.tsx'

type Taking = { query: unknown; format: ExportFormat; today: string }

async function takeOut(name: ExportName, { query, format, today }: Taking): Promise<void> {
  const answer = await askForFile(`/console/exports/${name}?format=${format}`, {
    headers: { 'content-type': 'application/json' },
    body: superjson.stringify(query),
  })
  saveFile(await answer.blob(), `${name}-${today}.${format}`)
}

/** The whole filtered list as a file, in the form the operator chooses; that it was taken is on record. */
export function ExportButton({ name, query }: { name: ExportName; query: unknown }) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden(exportPermissions[name])
  const today = useToday()
  const take = useMutation({
    mutationFn: (format: ExportFormat) => takeOut(name, { query, format, today }),
    onMutate: () => announce(t('exporting'), { quiet: true }),
    onSuccess: () => announce(t('exported')),
    onError: (error) => announce(t('exportFailed', { reason: failureOf(error)?.title ?? '' })),
  })
  return (
    <Popup
      label={t('exportMenu')}
      align="end"
      trigger={(attributes) => (
        <ActionButton
          quiet
          icon={<Icon name="download" />}
          busy={take.isPending}
          hint={t('exportHint')}
          disabledReason={forbidden && t('exportForbidden', forbidden)}
          opens={attributes}
        >
          {t('export')}
        </ActionButton>
      )}
    >
      {(close) => (
        <ChoiceMenu
          label={t('exportMenu')}
          choices={exportFormats.map((value) => ({ value, label: t(`exportFormats.${value}`) }))}
          choose={(format) => {
            close()
            take.mutate(format)
          }}
        />
      )}
    </Popup>
  )
}
