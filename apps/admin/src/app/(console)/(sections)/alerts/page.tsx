import { addresses, parkedQueryOf, showsOrders } from '../../../../addresses.ts'
import { AlertDesk } from '../../../../features/alerts/alert-desk.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('alerts.title'),
  address: addresses.alerts,
  nouns: ['alerts', 'approvals', 'order', 'orders'],
  reads: ({ trpc, fetch }, params) => [
    showsOrders(params)
      ? fetch(trpc.alert.parked.queryOptions(parkedQueryOf(params)))
      : fetch(trpc.alert.list.queryOptions(addresses.alerts.queryOf(params))),
  ],
  View: AlertDesk,
})

export { generateMetadata, page as default }
