import { addresses } from '../../../../addresses.ts'
import { DeviceList } from '../../../../features/devices/device-list.tsx'
import { listPage } from '../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = listPage({
  title: (t) => t('devices.title'),
  address: addresses.devices,
  nouns: ['devices'],
  reads: ({ trpc, fetch }, params) => [
    fetch(trpc.device.list.queryOptions(addresses.devices.queryOf(params))),
  ],
  View: DeviceList,
})

export { generateMetadata, page as default }
