'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'

const SecondPaymentDialog = dynamic(
  () => import('./second-payment-dialog.tsx').then((module) => module.SecondPaymentDialog),
  { ssr: false },
)

/** Where an order was paid twice: the money of the second payment back to whoever paid it. */
export function ReturnSecondPayment({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('refunds')
  return (
    <ActButton
      icon="refund"
      label={t('secondPayment.act')}
      hint={t('secondPayment.hint')}
      permission="refund.request"
      forbidden={(who) => t('secondPayment.forbidden', who)}
      dialog={(close) => <SecondPaymentDialog outTradeNo={outTradeNo} onClose={close} />}
    />
  )
}
