import { StaffReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { MemberView } from '../../../../../features/staff/member-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ operatorId: string }> }

export async function generateMetadata() {
  const t = await getTranslations('staff')
  return { title: t('memberTitle') }
}

export default async function StaffMemberPage({ params }: Props) {
  const reference = await referenceOf(StaffReference, params)
  return (
    <ConsolePage
      nouns={['session', 'staff']}
      reads={({ trpc, fetch }) => [fetch(trpc.staff.detail.queryOptions(reference))]}
    >
      <MemberView operatorId={reference.operatorId} />
    </ConsolePage>
  )
}
