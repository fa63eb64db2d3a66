import { RefundReference } from '@meridian/contracts'
import { RefundView } from '../../../../../features/refunds/detail/refund-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: RefundReference,
  title: (t, { outRefundNo }) => t('refunds.detailTitle', { outRefundNo: truncateMiddle(outRefundNo) }),
  nouns: ['alerts', 'approvals', 'notes', 'orders', 'refunds', 'related'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.refund.detail.queryOptions(reference))],
  View: RefundView,
})

export { generateMetadata, page as default }
