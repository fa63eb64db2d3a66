import { addresses } from '../../../../addresses.ts'
import { RefundList } from '../../../../features/refunds/refund-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('refunds.title'),
  address: addresses.refunds,
  nouns: ['refunds'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.refund.list.queryOptions(addresses.refunds.queryOf(params))),
    fetch(trpc.refund.totals.queryOptions(addresses.refunds.filterOf(params))),
  ],
  View: RefundList,
})

export { generateMetadata, page as default }
