'use client'

import type { DeviceDetail } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { DeviceBadge } from '../device-badge.tsx'
import styles from './detail.module.css'
import { DisableDevice, UnbindDevice } from './device-acts.tsx'
import { DeviceFacts, DeviceHistory } from './device-parts.tsx'

function DeviceHead({ device }: { device: DeviceDetail }) {
  const t = useTranslations('devices')
  return (
    <PageHeader
      before={<BackLink href={paths.devices()}>{t('back')}</BackLink>}
      title={device.serialNumber}
      aside={
        <span className={styles['state']}>
          <CopyButton text={device.serialNumber} name={t('serialNumber')} />
          <DeviceBadge device={device} />
        </span>
      }
      actions={
        <span className={styles['aside']}>
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
  const failureOf = useFailure()
  const query = useQuery(trpc.device.detail.queryOptions({ serialNumber }))
  const failure = failureOf(query.error)
  if (!query.data && failure)
    return (
      <Panel>
        <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
      </Panel>
    )
  if (!query.data) return <ListSkeleton title={t('title')} />
  return (
    <>
      <DeviceHead device={query.data} />
      <div className={styles['columns']}>
        <DeviceHistory bindings={query.data.bindings} />
        <DeviceFacts device={query.data} />
      </div>
    </>
  )
}
