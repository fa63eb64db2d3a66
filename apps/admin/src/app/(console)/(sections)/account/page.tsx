import { getTranslations } from 'next-intl/server'
import { AccountView } from '../../../../features/account/account-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('account'))('title') })

export default function AccountPage() {
  return (
    <ConsolePage
      nouns={['account', 'session']}
      reads={({ trpc, fetch }) => [fetch(trpc.operator.account.queryOptions())]}
    >
      <AccountView />
    </ConsolePage>
  )
}
