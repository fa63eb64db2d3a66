import { addresses } from '../../../../addresses.ts'
import { DeviceList } from '../../../../features/devices/device-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage(addresses.devices, (t) => t('devices.title'), {
  nouns: ['devices', 'tags'],
  reads: ({ trpc, fetch }, { query }) => [
    fetch(trpc.device.list.queryOptions(query)),
    fetch(trpc.tag.choices.queryOptions()),
  ],
  View: DeviceList,
})

export { generateMetadata, page as default }
