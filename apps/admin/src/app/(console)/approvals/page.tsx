import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { FirstReads } from '../../../api-client/first-reads.tsx'
import { ApprovalsView } from '../../../features/approvals/approvals-view.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('approvals')
  return { title: t('pageTitle') }
}

export default function ApprovalsPage() {
  return (
    <FirstReads of={({ trpc, fetch }) => [fetch(trpc.approval.waiting.queryOptions())]}>
      <ApprovalsView />
    </FirstReads>
  )
}
