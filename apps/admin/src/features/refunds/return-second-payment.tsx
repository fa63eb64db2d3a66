'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { defineDialogAct } from '../../kit/act/define-act.tsx'

const SecondPaymentDialog = dynamic(
  () => import('./second-payment-dialog.tsx').then((module) => module.SecondPaymentDialog),
  { ssr: false },
)

/** Where an order was paid twice: the money of the second payment back to whoever paid it. */
export const returnSecondPayment = defineDialogAct(() => useTranslations('refunds.secondPayment'), {
  icon: 'refund',
  permission: 'refund.request',
  words: (t) => ({ label: t('act'), hint: t('hint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ outTradeNo }: { outTradeNo: string }, close) => (
    <SecondPaymentDialog outTradeNo={outTradeNo} onClose={close} />
  ),
})
