'use client'

import { useTranslations } from 'next-intl'
import { FormShell } from '../../ui/form-shell.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'

/** The one time that recovery codes are shown, after an authenticator was set up. */
export function RecoveryCodeSheet({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('session.enrol')
  return (
    <FormShell
      title={t('codesHeading')}
      lead={t('codesLead')}
      submitLabel={t('kept')}
      submitting={false}
      failure={null}
      onSubmit={onDone}
    >
      <RecoveryCodeList codes={codes} />
    </FormShell>
  )
}
