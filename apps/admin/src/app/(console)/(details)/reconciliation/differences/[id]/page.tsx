import { DifferenceReference } from '@meridian/contracts'
import { DifferenceView } from '../../../../../../features/reconciliation/difference-view.tsx'
import { detailPage } from '../../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: DifferenceReference,
  title: (t, { id }) => `${t('reconciliation.difference')} ${id}`,
  nouns: ['notes', 'orders', 'reconciliation', 'refunds', 'related'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.reconciliation.difference.queryOptions(reference))],
  View: DifferenceView,
})

export { generateMetadata, page as default }
