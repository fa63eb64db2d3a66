import { DeviceReference } from '@meridian/contracts'
import { DeviceView } from '../../../../../features/devices/device-view.tsx'
import { detailPage } from '../../../../../kit/page/console-page.tsx'

const { page, generateMetadata } = detailPage({
  reference: DeviceReference,
  title: (t, { serialNumber }) => t('devices.detailTitle', { serialNumber }),
  nouns: ['devices', 'notes', 'orders', 'related', 'tags'],
  reads: ({ trpc, fetch }, reference) => [
    fetch(trpc.device.detail.queryOptions(reference)),
    fetch(trpc.tag.of.queryOptions({ subject: { kind: 'device', id: reference.serialNumber } })),
  ],
  View: DeviceView,
})

export { generateMetadata, page as default }
