import { developerAddresses } from '../../../../developer-addresses.ts'
import { ApiKeyList } from '../../../../features/api-keys/api-key-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(developerAddresses.developers, (t) => t('apiKeys.title'), {
  nouns: ['apiKeys'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.apiKey.list.queryOptions(query))],
  View: ApiKeyList,
})

export { generateMetadata, page as default }
