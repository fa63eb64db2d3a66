import { OrderReference } from '@meridian/contracts'
import { ReceiptView } from '../../../../../../features/finance/receipt-view.tsx'
import { truncateMiddle } from '../../../../../../format.ts'
import { detailPage } from '../../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: OrderReference,
  title: (t, { outTradeNo }) => `${t('finance.receipt.open')} ${truncateMiddle(outTradeNo)}`,
  nouns: ['finance'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.finance.receipt.queryOptions(reference))],
  View: ReceiptView,
})

export { generateMetadata, page as default }
