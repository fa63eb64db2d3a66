'use client'

import { useTranslations } from 'next-intl'
import { TellingDialog } from '../../ui/dialog.tsx'
import { CopyButton } from '../../ui/identifier.tsx'
import layout from '../../ui/layout.module.css'

type AppleRefundProps = { outTradeNo: string; onClose: () => void }

/** Apple took the money, and Apple alone gives it back: what the user has to do, in words to send them. */
export function AppleRefundDialog({ outTradeNo, onClose }: AppleRefundProps) {
  const t = useTranslations('refunds')
  return (
    <TellingDialog
      title={t('dialogTitle', { outTradeNo })}
      lead={t('apple.lead')}
      submitLabel={t('apple.close')}
      onClose={onClose}
    >
      <section className={layout['preview']} aria-label={t('apple.toUser')}>
        <h3>
          {t('apple.toUser')} <CopyButton text={t('apple.message')} name={t('apple.toUser')} />
        </h3>
        <p>{t('apple.message')}</p>
      </section>
      <p>{t('apple.outlook')}</p>
    </TellingDialog>
  )
}
