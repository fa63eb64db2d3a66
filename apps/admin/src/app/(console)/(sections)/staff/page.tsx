import { addresses } from '../../../../addresses.ts'
import { StaffList } from '../../../../features/staff/staff-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('staff.title'),
  address: addresses.staff,
  nouns: ['staff'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.staff.list.queryOptions(addresses.staff.queryOf(params))),
    fetch(trpc.staff.signInFailures.queryOptions()),
  ],
  View: StaffList,
})

export { generateMetadata, page as default }
