import type { OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { defineAct } from '../../kit/act/define-act.tsx'
import type { Store } from '../../kit/act/use-act.ts'

/** What follows an act on an order: its page shows it as it now is. */
export const shownAnew = {
  invalidates: ['order'],
  keep: ({ order }: { order: OrderDetail }, { put, trpc }: Store) =>
    put(trpc.order.detail.queryKey({ outTradeNo: order.outTradeNo }), order),
} as const

/** Asks the platform about the order and says what came of it. */
export const syncOrder = defineAct(() => useTranslations('order'), {
  icon: 'sync',
  permission: 'order.sync',
  words: (t) => ({ label: t('sync'), hint: t('syncHint'), forbidden: (who) => t('syncForbidden', who) }),
  act: (t) => ({
    call: (api) => api.order.sync.mutate,
    starting: t('syncing'),
    done: ({ outcome }) => t(`outcomes.${outcome}`),
    refused: (reason) => t('syncFailed', { reason }),
    ...shownAnew,
  }),
})
