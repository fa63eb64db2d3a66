import { DeviceReference } from '@meridian/contracts'
import { DeviceView } from '../../../../../features/devices/device-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: DeviceReference,
  title: (t, { serialNumber }) => t('devices.detailTitle', { serialNumber }),
  nouns: ['devices', 'notes', 'orders', 'related'],
  reads: ({ trpc, fetch }, reference) => [fetch(trpc.device.detail.queryOptions(reference))],
  View: DeviceView,
})

export { generateMetadata, page as default }
