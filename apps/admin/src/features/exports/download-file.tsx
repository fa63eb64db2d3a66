import { type ExportNews, isExport } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import { useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'

type File = Pick<ExportNews, 'id' | 'list' | 'format'>

/** What a file is called: its list and its format. */
export function useFileName(): (file: File) => string {
  const t = useTranslations('exports')
  return ({ list, format }) => `${isExport(list) ? t(`lists.${list}`) : list} · ${format.toUpperCase()}`
}

/** `name`: what it is saved as, where that is not its list and today. */
type DownloadProps = { file: File; name?: string; quiet?: boolean; onDone?: () => void }

/** Saves a file that a worker wrote; that it was taken is on record. */
export function DownloadFile({ file: { id, list, format }, name, quiet = false, onDone }: DownloadProps) {
  const t = useTranslations('exports')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const today = useToday()
  const take = useMutation({
    mutationFn: async () => {
      const answer = await askForFile(`/console/exports/kept/${id}`, {})
      saveFile(await answer.blob(), name ?? `${list}-${today}.${format}`)
    },
    onSuccess: () => {
      announce(t('downloaded'))
      onDone?.()
    },
    onError: (error) => announce(t('downloadFailed', { reason: failureOf(error)?.title ?? '' })),
  })
  return (
    <ActionButton
      icon={<Icon name="download" />}
      busy={take.isPending}
      hint={t('downloadHint')}
      disabledReason={null}
      quiet={quiet}
      onPress={() => take.mutate()}
    >
      {t('download')}
    </ActionButton>
  )
}
