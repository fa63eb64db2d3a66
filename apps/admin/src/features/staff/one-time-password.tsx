'use client'

import type { OneTimePassword } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatTime } from '../../format.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Notice } from '../../ui/notice.tsx'

type Props = { given: OneTimePassword; email: string; onClose: () => void }

/** The one time that a password is shown, to be handed over by another way than this one. */
export function OneTimePasswordDialog({ given, email, onClose }: Props) {
  const t = useTranslations('staff.password')
  return (
    <Dialog
      title={t('title', { email })}
      lead={t('lead')}
      submitLabel={t('done')}
      telling
      submitting={false}
      failure={null}
      onSubmit={onClose}
      onClose={onClose}
    >
      <Identifier value={given.password} name={t('name')} whole />
      <Notice tone="wait" icon="clock">
        {t('expires', { time: formatTime(given.expiresAt) })}
      </Notice>
    </Dialog>
  )
}
