import { getTranslations } from 'next-intl/server'
import type { SearchParams } from 'nuqs/server'
import { addresses } from '../../../../addresses.ts'
import { DeviceList } from '../../../../features/devices/device-list.tsx'
import { ConsolePage } from '../../../../kit/page/console-page.tsx'

export const generateMetadata = async () => ({ title: (await getTranslations('devices'))('title') })

export default async function DevicesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = addresses.devices.queryOf(await addresses.devices.load(searchParams))
  return (
    <ConsolePage
      nouns={['devices']}
      reads={({ trpc, fetch }) => [fetch(trpc.device.list.queryOptions(query))]}
    >
      <DeviceList />
    </ConsolePage>
  )
}
