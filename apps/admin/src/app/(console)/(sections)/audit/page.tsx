import { addresses } from '../../../../addresses.ts'
import { AuditList } from '../../../../features/audit/audit-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.audit, (t) => t('audit.title'), {
  nouns: ['audit'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.audit.list.queryOptions(query))],
  View: AuditList,
})

export { generateMetadata, page as default }
