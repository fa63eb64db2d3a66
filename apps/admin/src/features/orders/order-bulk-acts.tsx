import type { OrderRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useAct } from '../../kit/act/use-act.ts'
import { BulkButton, type useBulkAct } from '../../kit/list/use-bulk-act.tsx'
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

type ActsProps = { orders: readonly OrderRow[]; start: ReturnType<typeof useBulkAct>['start'] }

function SyncOrders({ orders, start }: ActsProps) {
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

/** The buttons for the orders that are chosen. */
export const OrderBulkActs = ({ orders, start }: ActsProps) => (
  <>
    <SyncOrders orders={orders} start={start} />
    <CopyNumbers orders={orders} />
  </>
)
