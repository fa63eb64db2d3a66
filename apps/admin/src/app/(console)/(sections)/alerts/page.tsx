import { addresses } from '../../../../addresses.ts'
import { parkedQueryOf, showsOrders } from '../../../../desk-addresses.ts'
import { AlertDesk } from '../../../../features/alerts/alert-desk.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.alerts, (t) => t('alerts.title'), {
  nouns: ['alerts', 'approvals', 'order', 'orders'],
  reads: ({ trpc, fetch }, { params, query }) => [
    showsOrders(params)
      ? fetch(trpc.alert.parked.queryOptions(parkedQueryOf(params)))
      : fetch(trpc.alert.list.queryOptions(query)),
  ],
  View: AlertDesk,
})

export { generateMetadata, page as default }
