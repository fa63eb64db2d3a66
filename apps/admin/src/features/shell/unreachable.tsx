'use client'

import { useTranslations } from 'next-intl'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'

/** Instead of the whole console while the API does not answer. */
export function Unreachable() {
  const t = useTranslations('ui')
  return (
    <main>
      <BlankSlate
        level="h1"
        role="alert"
        icon="alert"
        title={t('unreachable')}
        hint={t('failedHint')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        }
      />
    </main>
  )
}
