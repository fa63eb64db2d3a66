'use client'

import type { OrderDetail } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { DecideOrder } from '../../alerts/decide-order.tsx'
import styles from './detail.module.css'
import { SyncButton } from './sync-button.tsx'

const RefundDialog = dynamic(
  () => import('../../refunds/refund-dialog.tsx').then((module) => module.RefundDialog),
  { ssr: false },
)

type OrderProps = { order: OrderDetail; quiet: boolean }

/** Why this order cannot be refunded, whoever asks; null when it can. */
function useNoRefund({ status, parked, refundableFen }: OrderDetail): string | null {
  const t = useTranslations('order')
  if (status !== 'paid' && status !== 'refunded') return t('refundNotPaid')
  if (parked) return t('refundParked')
  return refundableFen === 0 ? t('refundNothingLeft') : null
}

function RefundButton({ order, quiet }: OrderProps) {
  const t = useTranslations('order')
  const forbidden = useForbidden('refund.request')
  const obstacle = useNoRefund(order)
  const [open, setOpen] = useState(false)
  const { outTradeNo, refundableFen } = order
  return (
    <>
      <ActionButton
        icon={<Icon name="refund" />}
        quiet={quiet}
        busy={false}
        hint={t('refundHint')}
        disabledReason={forbidden ? t('refundForbidden', forbidden) : obstacle}
        onPress={() => setOpen(true)}
      >
        {t('refund')}
      </ActionButton>
      {open && (
        <RefundDialog outTradeNo={outTradeNo} refundableFen={refundableFen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function CloseDialog({ outTradeNo, onClose }: { outTradeNo: string; onClose: () => void }) {
  const t = useTranslations('order')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const close = useMutation(
    trpc.order.close.mutationOptions({
      onSuccess: async ({ outcome, order }) => {
        queryClient.setQueryData(trpc.order.detail.queryKey({ outTradeNo }), order)
        announce(t(`outcomes.${outcome}`))
        onClose()
        await queryClient.invalidateQueries(trpc.order.pathFilter())
      },
    }),
  )
  return (
    <Dialog
      title={t('closeTitle', { outTradeNo })}
      submitLabel={t('close')}
      danger
      submitting={close.isPending}
      failure={failureOf(close.error)?.title ?? null}
      onSubmit={() => close.mutate({ outTradeNo })}
      onClose={onClose}
    >
      {t('closeLead')}
    </Dialog>
  )
}

function CloseButton({ order: { outTradeNo, status } }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const forbidden = useForbidden('order.close')
  const [open, setOpen] = useState(false)
  const unpaid = status === 'created' || status === 'prepay'
  const obstacle = unpaid ? null : t('closeNotUnpaid')
  return (
    <>
      <ActionButton
        icon={<Icon name="close" />}
        quiet
        busy={false}
        hint={t('closeHint')}
        disabledReason={forbidden ? t('closeForbidden', forbidden) : obstacle}
        onPress={() => setOpen(true)}
      >
        {t('close')}
      </ActionButton>
      {open && <CloseDialog outTradeNo={outTradeNo} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What is most likely wanted: a decision where one is waited for, the truth of an unpaid order, the money of a paid one. */
const mainActOf = ({ parkReason, status }: OrderDetail): 'decide' | 'sync' | 'refund' => {
  if (parkReason) return 'decide'
  return status === 'paid' || status === 'refunded' ? 'refund' : 'sync'
}

/** What an operator can do with an order; what is not theirs or not open says why. */
export function OrderActs({ order }: { order: OrderDetail }) {
  const { parkReason } = order
  const main = mainActOf(order)
  const granted = order.grants.some(({ kind }) => kind === 'purchase')
  return (
    <span className={styles['acts']}>
      {parkReason && <DecideOrder order={{ ...order, parkReason, granted }} />}
      <RefundButton order={order} quiet={main !== 'refund'} />
      <CloseButton order={order} />
      <SyncButton outTradeNo={order.outTradeNo} quiet={main !== 'sync'} />
    </span>
  )
}
