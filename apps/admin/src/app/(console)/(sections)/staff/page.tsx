import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { StaffList } from '../../../../features/staff/staff-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('staff'))('title') })

export default async function StaffPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.staff.queryOf(await addresses.staff.load(searchParams))
  return (
    <ConsolePage
      nouns={['staff']}
      reads={({ trpc, fetch }) => [
        fetch(trpc.staff.list.queryOptions(query)),
        fetch(trpc.staff.signInFailures.queryOptions()),
      ]}
    >
      <StaffList />
    </ConsolePage>
  )
}
