import { DeviceReference } from '@meridian/contracts'
import { getTranslations } from 'next-intl/server'
import { DeviceView } from '../../../../../features/devices/detail/device-view.tsx'
import { ConsolePage } from '../../../../../kit/page/console-page.tsx'
import { referenceOf } from '../../../../../kit/page/reference-of.ts'

type Props = { params: Promise<{ serialNumber: string }> }

export async function generateMetadata({ params }: Props) {
  const t = await getTranslations('devices')
  return { title: t('detailTitle', { serialNumber: (await params).serialNumber }) }
}

export default async function DevicePage({ params }: Props) {
  const reference = await referenceOf(DeviceReference, params)
  return (
    <ConsolePage
      nouns={['devices']}
      reads={({ trpc, fetch }) => [fetch(trpc.device.detail.queryOptions(reference))]}
    >
      <DeviceView serialNumber={reference.serialNumber} />
    </ConsolePage>
  )
}
