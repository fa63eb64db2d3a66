import { AlertReference } from '@meridian/contracts'
import { AlertView } from '../../../../../features/alerts/detail/alert-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: AlertReference,
  title: (t, { id }) => t('alerts.detailTitle', { id }),
  nouns: [
    'alerts',
    'approvals',
    'mismatch',
    'notes',
    'notifications',
    'order',
    'orders',
    'reconciliation',
    'refunds',
    'related',
  ],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.alert.detail.queryOptions(reference))],
  View: AlertView,
})

export { generateMetadata, page as default }
