import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { UserList } from '../../../../features/users/user-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('users'))('title') })

export default async function UsersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.users.queryOf(await addresses.users.load(searchParams))
  return (
    <ConsolePage nouns={['users']} reads={({ trpc, fetch }) => [fetch(trpc.user.list.queryOptions(query))]}>
      <UserList />
    </ConsolePage>
  )
}
