import { addresses } from '../../../../addresses.ts'
import { ReconciliationDesk } from '../../../../features/reconciliation/reconciliation-desk.tsx'
import { pageOf } from '../../../../kit/list/address.ts'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.reconciliation, (t) => t('reconciliation.title'), {
  nouns: ['orders', 'reconciliation', 'refunds'],
  reads: ({ trpc, fetch }, { params, query }) => [
    params.view === 'days'
      ? fetch(trpc.reconciliation.days.queryOptions(pageOf(params)))
      : fetch(trpc.reconciliation.differences.queryOptions(query)),
  ],
  View: ReconciliationDesk,
})

export { generateMetadata, page as default }
