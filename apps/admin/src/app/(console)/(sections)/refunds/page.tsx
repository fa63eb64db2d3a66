import { addresses } from '../../../../addresses.ts'
import { RefundList } from '../../../../features/refunds/refund-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.refunds, (t) => t('refunds.title'), {
  nouns: ['refunds'],
  reads: ({ trpc, fetch }, { query, filter }) => [
    fetch(trpc.refund.list.queryOptions(query)),
    fetch(trpc.refund.totals.queryOptions(filter)),
  ],
  View: RefundList,
})

export { generateMetadata, page as default }
