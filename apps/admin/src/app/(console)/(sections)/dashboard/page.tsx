import { createLoader, type SearchParams } from 'nuqs/server'
import { consoleContext } from '../../../../api-client/first-read.ts'
import { dashboardParsers, dashboardRangeOf } from '../../../../features/dashboard/dashboard-params.ts'
import { DashboardView } from '../../../../features/dashboard/dashboard-view.tsx'
import { firstOfInbox } from '../../../../features/inbox/first-of-inbox.ts'
import { dayOf } from '../../../../format.ts'
import { ConsolePage, titled } from '../../../../kit/page/console-page.tsx'

const loadParams = createLoader(dashboardParsers)

export const generateMetadata = titled((t) => t('dashboard.title'))

export default async function DashboardPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [params, context] = await Promise.all([loadParams(searchParams), consoleContext()])
  const today = dayOf(new Date(Date.now() + (context?.clockAheadMs ?? 0)))
  const range = dashboardRangeOf(params, today)
  return (
    // What waits stands above everything: were it read later, it would push the page down under the pointer.
    <ConsolePage
      nouns={[
        'alerts',
        'approvals',
        'checklist',
        'compliance',
        'dashboard',
        'inbox',
        'notes',
        'order',
        'orders',
        'reconciliation',
        'settings',
      ]}
      reads={({ trpc, fetch }) => [
        fetch(trpc.dashboard.waiting.queryOptions()),
        fetch(trpc.inbox.list.queryOptions(firstOfInbox)),
        fetch(trpc.checklist.show.queryOptions()),
        fetch(trpc.plan.compliance.queryOptions()),
        fetch(trpc.dashboard.revenue.queryOptions(range)),
      ]}
    >
      <DashboardView />
    </ConsolePage>
  )
}
