'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon } from '../../ui/icon.tsx'

const SecondPaymentDialog = dynamic(
  () => import('./second-payment-dialog.tsx').then((module) => module.SecondPaymentDialog),
  { ssr: false },
)

/** Where an order was paid twice: the money of the second payment back to whoever paid it. */
export function ReturnSecondPayment({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('refunds')
  const forbidden = useForbidden('refund.request')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="refund" />}
        busy={false}
        hint={t('secondPayment.hint')}
        disabledReason={forbidden && t('secondPayment.forbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('secondPayment.act')}
      </ActionButton>
      {open && <SecondPaymentDialog outTradeNo={outTradeNo} onClose={() => setOpen(false)} />}
    </>
  )
}
