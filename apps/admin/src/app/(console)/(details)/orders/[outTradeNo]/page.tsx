import { OrderReference } from '@meridian/contracts'
import { OrderView } from '../../../../../features/orders/detail/order-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: OrderReference,
  title: (t, { outTradeNo }) => t('order.title', { outTradeNo: truncateMiddle(outTradeNo) }),
  nouns: [
    'alerts',
    'approvals',
    'inquiries',
    'notes',
    'order',
    'orders',
    'refunds',
    'related',
    'subscriptions',
    'tags',
  ],
  reads: ({ trpc, fetch }, reference) => [
    fetch(trpc.order.detail.queryOptions(reference)),
    fetch(trpc.tag.of.queryOptions({ subject: { kind: 'order', id: reference.outTradeNo } })),
  ],
  View: OrderView,
})

export { generateMetadata, page as default }
