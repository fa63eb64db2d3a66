import { addresses } from '../../../../addresses.ts'
import { UserList } from '../../../../features/users/user-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('users.title'),
  address: addresses.users,
  nouns: ['users'],
  reads: ({ trpc, fetch }, params) => [fetch(trpc.user.list.queryOptions(addresses.users.queryOf(params)))],
  View: UserList,
})

export { generateMetadata, page as default }
