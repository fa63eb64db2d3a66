import { addresses } from '../../../../addresses.ts'
import { TagList } from '../../../../features/tags/tag-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.tags, (t) => t('tagList.title'), {
  nouns: ['tagList', 'tags'],
  reads: ({ trpc, fetch }, { query }) => [fetch(trpc.tag.list.queryOptions(query))],
  View: TagList,
})

export { generateMetadata, page as default }
