'use client'

import { useTranslations } from 'next-intl'
import { Dialog } from '../../ui/dialog.tsx'
import { RecoveryCodeList } from '../session/recovery-code-list.tsx'

/** New recovery codes, shown this once. */
export function RenewedCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations('session.enrol')
  return (
    <Dialog
      title={t('codesHeading')}
      lead={t('codesLead')}
      submitLabel={t('kept')}
      submitting={false}
      failure={null}
      onSubmit={onClose}
      onClose={onClose}
    >
      <RecoveryCodeList codes={codes} />
    </Dialog>
  )
}
