'use client'

import type { OrderRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import type { Bulk } from '../../kit/list/list-table.tsx'
import { BulkButton, useBulkAct } from '../../kit/list/use-bulk-act.tsx'
import { useForbidden } from '../../session/operator-context.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { copyText } from '../../ui/copy-and-save.ts'

function CopyNumbers({ orders }: { orders: readonly OrderRow[] }) {
  const t = useTranslations('orders')
  const failed = useTranslations('ui')('copyFailed')
  const announce = useAnnounce()
  const copy = async () => {
    const copied = await copyText(orders.map(({ outTradeNo }) => outTradeNo).join('\n'))
    announce(copied ? t('numbersCopied', { count: orders.length }) : failed)
  }
  return (
    <BulkButton icon="copy" hint={t('copyNumbersHint')} quiet onPress={() => void copy()}>
      {t('copyNumbers')}
    </BulkButton>
  )
}

type SyncProps = { orders: readonly OrderRow[]; start: ReturnType<typeof useBulkAct>['start'] }

function SyncOrders({ orders, start }: SyncProps) {
  const t = useTranslations('orders')
  const order = useTranslations('order')
  const forbidden = useForbidden('order.sync')
  const sync = useAct({ call: (api) => api.order.sync.mutate, invalidates: [] })
  const syncAll = () =>
    start(
      orders.map(({ outTradeNo }) => ({ key: outTradeNo, label: outTradeNo })),
      async (outTradeNo) => order(`outcomes.${(await sync.step({ outTradeNo })).outcome}`),
    )
  return (
    <BulkButton
      icon="sync"
      hint={t('bulkSyncLead')}
      disabledReason={forbidden && order('syncForbidden', forbidden)}
      onPress={() => void syncAll()}
    >
      {t('bulkSync')}
    </BulkButton>
  )
}

/** What may be done with several orders at once, and the dialog that says how far it is. */
export function useOrderBulk(): Bulk<OrderRow> {
  const t = useTranslations('orders')
  const { start, dialog } = useBulkAct({
    title: (count) => t('bulkSyncTitle', { count }),
    lead: t('bulkSyncLead'),
    changes: useTRPC().order.pathFilter(),
  })
  return {
    bulk: (orders) => (
      <>
        <SyncOrders orders={orders} start={start} />
        <CopyNumbers orders={orders} />
      </>
    ),
    dialog,
  }
}
