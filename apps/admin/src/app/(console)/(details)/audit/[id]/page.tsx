import { AuditReference } from '@meridian/contracts'
import { AuditEntryView } from '../../../../../features/audit/audit-entry-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: AuditReference,
  title: (t) => t('audit.entryTitle'),
  nouns: ['audit', 'orders', 'refunds', 'related'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.audit.detail.queryOptions(reference))],
  View: AuditEntryView,
})

export { generateMetadata, page as default }
