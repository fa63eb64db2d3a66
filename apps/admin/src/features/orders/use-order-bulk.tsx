'use client'

import type { OrderRow } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Bulk } from '../../kit/list/list-table.tsx'
import { type BulkRun, useBulkRun } from '../../kit/list/use-bulk-run.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Icon } from '../../ui/icon.tsx'

const BulkDialog = dynamic(
  () => import('../../kit/list/bulk-dialog.tsx').then((module) => module.BulkDialog),
  {
    ssr: false,
  },
)

function CopyNumbers({ orders }: { orders: readonly OrderRow[] }) {
  const t = useTranslations('orders')
  const failed = useTranslations('ui')('copyFailed')
  const announce = useAnnounce()
  const copy = async () => {
    const copied = await copyText(orders.map(({ outTradeNo }) => outTradeNo).join('\n'))
    announce(copied ? t('numbersCopied', { count: orders.length }) : failed)
  }
  return (
    <ActionButton
      icon={<Icon name="copy" />}
      busy={false}
      hint={t('copyNumbersHint')}
      disabledReason={null}
      quiet
      onPress={() => void copy()}
    >
      {t('copyNumbers')}
    </ActionButton>
  )
}

function SyncOrders({ orders, run }: { orders: readonly OrderRow[]; run: BulkRun }) {
  const t = useTranslations('orders')
  const order = useTranslations('order')
  const forbidden = useForbidden('order.sync')
  const sync = useAct({ call: (api) => api.order.sync.mutate, invalidates: [] })
  const start = () =>
    run.start(
      orders.map(({ outTradeNo }) => ({ key: outTradeNo, label: outTradeNo })),
      async (outTradeNo) => order(`outcomes.${(await sync.step({ outTradeNo })).outcome}`),
    )
  return (
    <ActionButton
      icon={<Icon name="sync" />}
      busy={false}
      hint={t('bulkSyncLead')}
      disabledReason={forbidden && order('syncForbidden', forbidden)}
      onPress={() => void start()}
    >
      {t('bulkSync')}
    </ActionButton>
  )
}

/** What may be done with several orders at once, and the dialog that says how far it is. */
export function useOrderBulk(): Bulk<OrderRow> {
  const t = useTranslations('orders')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const run = useBulkRun()
  const close = () => {
    run.forget()
    void queryClient.invalidateQueries(trpc.order.pathFilter())
  }
  return {
    bulk: (orders) => (
      <>
        <SyncOrders orders={orders} run={run} />
        <CopyNumbers orders={orders} />
      </>
    ),
    dialog: run.lines && (
      <BulkDialog
        title={t('bulkSyncTitle', { count: run.lines.length })}
        lead={t('bulkSyncLead')}
        lines={run.lines}
        onStop={run.stop}
        onClose={close}
      />
    ),
  }
}
