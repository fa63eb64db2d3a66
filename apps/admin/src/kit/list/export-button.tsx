'use client'

import {
  EXPORT_AT_ONCE_ROWS,
  type ExportFormat,
  type ExportName,
  exportFormats,
  exportPermissions,
} from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import superjson from 'superjson'
import { useFailure, useTRPCClient } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceMenu, Popup } from '../../ui/popup.tsx'
import { watchFiles } from './watched-files.ts'

type Query = Record<string, unknown>
type Taking = { query: Query; format: ExportFormat; today: string }

async function takeOut(name: ExportName, { query, format, today }: Taking): Promise<void> {
  const answer = await askForFile(`/console/exports/${name}?format=${format}`, {
    headers: { 'content-type': 'application/json' },
    body: superjson.stringify(query),
  })
  saveFile(await answer.blob(), `${name}-${today}.${format}`)
}

/** Takes a list out; a long one is left to a worker, and told of when it is written. Answers whether it is here. */
function useTakeOut(name: ExportName): (taking: Taking) => Promise<boolean> {
  const api = useTRPCClient()
  return async (taking) => {
    const { query, format } = taking
    const { count, more } = await api.export.length.query({ list: name, query })
    const isLong = more || count > EXPORT_AT_ONCE_ROWS
    if (isLong) watchFiles([(await api.export.start.mutate({ list: name, format, query })).id])
    else await takeOut(name, taking)
    return !isLong
  }
}

type ExportButtonProps = {
  name: ExportName
  query: Query
  /** What it says where the page has another list with a file of its own. */
  label?: string
}

/** The whole filtered list as a file, in the form the operator chooses; that it was taken is on record. */
export function ExportButton({ name, query, label }: ExportButtonProps) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden(exportPermissions[name])
  const today = useToday()
  const takeOutOrWait = useTakeOut(name)
  const take = useMutation({
    mutationFn: (format: ExportFormat) => takeOutOrWait({ query, format, today }),
    onMutate: () => announce(t('exporting'), { quiet: true }),
    onSuccess: (isHere) => announce(t(isHere ? 'exported' : 'exportQueued')),
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
          {label ?? t('export')}
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
