import { UserReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { UserView } from '../../../../../features/users/detail/user-view.tsx'
import { truncateMiddle } from '../../../../../format.ts'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('users')
  return { title: t('detailTitle', { userId: truncateMiddle((await params).id) }) }
}

export default async function UserPage({ params }: Props) {
  const reference = await referenceOf(UserReference, params)
  return (
    <ConsolePage
      nouns={['devices', 'orders', 'users']}
      reads={({ trpc, fetch }) => [fetch(trpc.user.detail.queryOptions(reference))]}
    >
      <UserView id={reference.id} />
    </ConsolePage>
  )
}
