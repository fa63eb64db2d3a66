import { addresses } from '../../../../../addresses.ts'
import { InquiryList } from '../../../../../features/refunds/inquiries/inquiry-list.tsx'
import { listPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.inquiries, (t) => t('inquiries.title'), {
  nouns: ['inquiries'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.refund.inquiries.queryOptions(query))],
  View: InquiryList,
})

export { generateMetadata, page as default }
