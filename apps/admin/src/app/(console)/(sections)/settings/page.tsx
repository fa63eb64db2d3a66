import { SettingsView } from '../../../../features/settings/settings-view.tsx'
import { sectionPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = sectionPage((t) => t('settings.title'), {
  nouns: ['approvals', 'compliance', 'programBounds', 'settings', 'subscriptions'],
  reads: ({ trpc, fetch }) => [
    fetch(trpc.setting.list.queryOptions()),
    fetch(trpc.plan.compliance.queryOptions()),
  ],
  View: SettingsView,
})

export { generateMetadata, page as default }
