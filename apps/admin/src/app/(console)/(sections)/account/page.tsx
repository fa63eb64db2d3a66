import { AccountView } from '../../../../features/account/account-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('account.title'), {
  nouns: ['account', 'session'],
  reads: ({ trpc, fetch }) => [fetch(trpc.operator.account.queryOptions())],
  View: AccountView,
})

export { generateMetadata, page as default }
