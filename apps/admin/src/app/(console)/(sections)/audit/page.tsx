import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { AuditList } from '../../../../features/audit/audit-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('audit'))('title') })

export default async function AuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.audit.queryOf(await addresses.audit.load(searchParams))
  return (
    <ConsolePage nouns={['audit']} reads={({ trpc, fetch }) => [fetch(trpc.audit.list.queryOptions(query))]}>
      <AuditList />
    </ConsolePage>
  )
}
