import { addresses } from '../../../../addresses.ts'
import { UserList } from '../../../../features/users/user-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.users, (t) => t('users.title'), {
  nouns: ['tags', 'users'],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.user.list.queryOptions(query)),
    fetch(trpc.tag.choices.queryOptions()),
  ],
  View: UserList,
})

export { generateMetadata, page as default }
