import { addresses } from '../../../../addresses.ts'
import { AuditList } from '../../../../features/audit/audit-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('audit.title'),
  address: addresses.audit,
  nouns: ['audit'],
  reads: ({ trpc, fetch }, params) => [fetch(trpc.audit.list.queryOptions(addresses.audit.queryOf(params)))],
  View: AuditList,
})

export { generateMetadata, page as default }
