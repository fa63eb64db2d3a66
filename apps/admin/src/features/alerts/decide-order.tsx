'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Decidable } from './decide-dialog.tsx'

const DecideDialog = dynamic(() => import('./decide-dialog.tsx').then((module) => module.DecideDialog), {
  ssr: false,
})

/** Opens the decision; a late payment is for finance, anything else for whoever looks after parked orders. */
export function DecideOrder({ order }: { order: Decidable }) {
  const t = useTranslations('alerts')
  const late = order.parkReason === 'late_payment'
  const forbidden = useForbidden(late ? 'order.decide_late' : 'order.decide')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="check" />}
        busy={false}
        hint={t('decideHint')}
        disabledReason={forbidden && t('decideForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('decide')}
      </ActionButton>
      {open && <DecideDialog order={order} onClose={() => setOpen(false)} />}
    </>
  )
}
