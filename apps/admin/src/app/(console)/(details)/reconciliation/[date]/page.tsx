import { DayReference } from '@meridian/contracts'
import { DayView } from '../../../../../features/reconciliation/day-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: DayReference,
  title: (t, { date }) => `${t('reconciliation.title')} ${date}`,
  nouns: ['orders', 'reconciliation', 'refunds'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.reconciliation.day.queryOptions(reference))],
  View: DayView,
})

export { generateMetadata, page as default }
