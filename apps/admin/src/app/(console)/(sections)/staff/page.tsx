import { addresses } from '../../../../addresses.ts'
import { StaffList } from '../../../../features/staff/staff-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.staff, (t) => t('staff.title'), {
  nouns: ['staff'],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.staff.list.queryOptions(query)),
    fetch(trpc.staff.signInFailures.queryOptions()),
  ],
  View: StaffList,
})

export { generateMetadata, page as default }
