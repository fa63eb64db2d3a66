import { addresses } from '../../../../addresses.ts'
import { InboxList } from '../../../../features/inbox/inbox-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.inbox, (t) => t('inbox.title'), {
  nouns: ['alerts', 'approvals', 'inbox', 'notes', 'order', 'reconciliation', 'settings'],
  reads: ({ trpc, fetch }, { query, filter }) => [
    fetch(trpc.inbox.list.queryOptions(query)),
    fetch(trpc.inbox.counts.queryOptions(filter)),
  ],
  View: InboxList,
})

export { generateMetadata, page as default }
