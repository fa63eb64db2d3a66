'use client'

import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { paths } from '../../paths.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The way to the import, or why it is closed. */
export function ImportLink() {
  const t = useTranslations('devices')
  const router = useRouter()
  const forbidden = useForbidden('device.import')
  return (
    <ActionButton
      icon={<Icon name="upload" />}
      busy={false}
      hint={t('importHint')}
      disabledReason={forbidden && t('importForbidden', forbidden)}
      onPress={() => router.push(paths.deviceImport())}
    >
      {t('import')}
    </ActionButton>
  )
}
