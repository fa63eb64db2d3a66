'use client'

import type { OrderRow } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { Bulk } from '../../kit/list/list-table.tsx'
import { useBulkAct } from '../../kit/list/use-bulk-act.tsx'

const OrderBulkActs = dynamic(() => import('./order-bulk-acts.tsx').then((module) => module.OrderBulkActs), {
  ssr: false,
})

/** What may be done with several orders at once, and the dialog that says how far it is. */
export function useOrderBulk(): Bulk<OrderRow> {
  const t = useTranslations('orders')
  const { start, dialog } = useBulkAct({
    title: (count) => t('bulkSyncTitle', { count }),
    lead: t('bulkSyncLead'),
    changes: useTRPC().order.pathFilter(),
  })
  return {
    bulk: (orders) => <OrderBulkActs orders={orders} start={start} />,
    dialog,
  }
}
