'use client'

import type { DeviceDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { Loaded } from '../../../kit/page/loaded.tsx'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import page from '../../../ui/detail-page.module.css'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { DeviceBadge } from '../device-badge.tsx'
import { DisableDevice, UnbindDevice } from './device-acts.tsx'
import { DeviceFacts, DeviceHistory } from './device-parts.tsx'

function DeviceHead({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  return (
    <PageHeader
      before={<BackLink href={paths.devices()}>{t('back')}</BackLink>}
      title={device.serialNumber}
      aside={
        <span className={page['state']}>
          <CopyButton text={device.serialNumber} name={t('serialNumber')} />
          <DeviceBadge device={device} />
        </span>
      }
      actions={
        <span className={page['aside']}>
          <UnbindDevice device={device} />
          <DisableDevice device={device} />
        </span>
      }
    />
  )
}

/** One wearable: what it is, who has it, and who had it before. */
export function DeviceView({ serialNumber }: { serialNumber: string }) {
  const t = useTranslations('devices')
  const trpc = useTRPC()
  const query = useQuery(trpc.device.detail.queryOptions({ serialNumber }))
  return (
    <Loaded query={query} skeleton={<ListSkeleton title={t('title')} />}>
      {(device) => (
        <>
          <DeviceHead device={device} />
          <div className={page['columns']}>
            <DeviceHistory bindings={device.bindings} />
            <DeviceFacts device={device} />
          </div>
        </>
      )}
    </Loaded>
  )
}
