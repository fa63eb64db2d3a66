'use client'

import { type AlertDetail, formatFen } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Icon } from '../../../ui/icon.tsx'

const RefundDialog = dynamic(
  () => import('../../refunds/refund-dialog.tsx').then((module) => module.RefundDialog),
  { ssr: false },
)

/** Asks for a refund of the order that was paid last; the preview says what it does to the days. */
export function RefundLaterAct({ alert: { orders } }: { alert: AlertDetail }) {
  const t = useTranslations('alerts')
  const words = useTranslations('order')
  const forbidden = useForbidden('refund.request')
  const [open, setOpen] = useState(false)
  const later = orders.at(-1)
  if (!later || orders.length < 2) return null
  const { outTradeNo, refundableFen } = later
  const obstacle = refundableFen === 0 ? words('refundNothingLeft') : null
  return (
    <>
      <ActionButton
        icon={<Icon name="refund" />}
        busy={false}
        hint={t('refundLaterHint')}
        disabledReason={forbidden ? words('refundForbidden', forbidden) : obstacle}
        onPress={() => setOpen(true)}
      >
        {t('refundLater', { amount: formatFen(refundableFen) })}
      </ActionButton>
      {open && (
        <RefundDialog outTradeNo={outTradeNo} refundableFen={refundableFen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
