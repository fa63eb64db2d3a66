import { addresses } from '../../../../addresses.ts'
import { ReconciliationDesk } from '../../../../features/reconciliation/reconciliation-desk.tsx'
import { pageOf } from '../../../../kit/list/address.ts'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('reconciliation.title'),
  address: addresses.reconciliation,
  nouns: ['orders', 'reconciliation', 'refunds'],
  reads: ({ trpc, fetch }, params) => [
    params.view === 'days'
      ? fetch(trpc.reconciliation.days.queryOptions(pageOf(params)))
      : fetch(trpc.reconciliation.differences.queryOptions(addresses.reconciliation.queryOf(params))),
  ],
  View: ReconciliationDesk,
})

export { generateMetadata, page as default }
