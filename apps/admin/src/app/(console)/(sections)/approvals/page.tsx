import { getTranslations } from 'next-intl/server'
import { ApprovalsView } from '../../../../features/approvals/approvals-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('approvals'))('pageTitle') })

export default function ApprovalsPage() {
  return (
    <ConsolePage
      nouns={['approvals', 'settings']}
      reads={({ trpc, fetch }) => [fetch(trpc.approval.waiting.queryOptions())]}
    >
      <ApprovalsView />
    </ConsolePage>
  )
}
