import { StaffReference } from '@meridian/contracts'
import { MemberView } from '../../../../../features/staff/member-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: StaffReference,
  title: (t) => t('staff.memberTitle'),
  nouns: ['session', 'staff'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.staff.detail.queryOptions(reference))],
  View: MemberView,
})

export { generateMetadata, page as default }
