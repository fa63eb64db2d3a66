import { getTranslations } from 'next-intl/server'
import { SettingsView } from '../../../../features/settings/settings-view.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('settings'))('title') })

export default function SettingsPage() {
  return (
    <ConsolePage
      nouns={['approvals', 'programBounds', 'settings', 'subscriptions']}
      reads={({ trpc, fetch }) => [fetch(trpc.setting.list.queryOptions())]}
    >
      <SettingsView />
    </ConsolePage>
  )
}
