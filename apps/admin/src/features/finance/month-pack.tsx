'use client'

import type { Month } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import superjson from 'superjson'
import { useFailure } from '../../api-client/api-provider.tsx'
import { askForFile } from '../../api-client/ask-for-file.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { saveFile } from '../../ui/copy-and-save.ts'
import { Icon } from '../../ui/icon.tsx'

async function takeOut(month: Month): Promise<void> {
  const answer = await askForFile('/console/exports/month-pack', {
    headers: { 'content-type': 'application/json' },
    body: superjson.stringify({ month }),
  })
  saveFile(await answer.blob(), `finance-${month}.xlsx`)
}

/** The month for the accountant, in one press: one workbook with everything of it; that it was taken is on record. */
export function MonthPack({ month }: { month: Month }) {
  const t = useTranslations('finance')
  const words = useTranslations('ui')
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('export.orders')
  const take = useMutation({
    mutationFn: () => takeOut(month),
    onMutate: () => announce(words('exporting'), { quiet: true }),
    onSuccess: () => announce(words('exported')),
    onError: (error) => announce(words('exportFailed', { reason: failureOf(error)?.title ?? '' })),
  })
  return (
    <ActionButton
      quiet
      icon={<Icon name="download" />}
      busy={take.isPending}
      hint={t('packHint')}
      disabledReason={forbidden && words('exportForbidden', forbidden)}
      onPress={() => take.mutate()}
    >
      {t('pack')}
    </ActionButton>
  )
}
