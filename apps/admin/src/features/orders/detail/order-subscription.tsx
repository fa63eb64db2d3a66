import type { OrderDetail } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import styles from './detail.module.css'

function Devices({ devices }: Pick<OrderDetail, 'devices'>) {
  const t = useTranslations('order')
  if (devices.length === 0) return <p className={styles['ends']}>{t('noDevices')}</p>
  return (
    <ul aria-label={t('devices')}>
      {devices.map((device) => (
        <li key={device.serialNumber}>
          {t('device')}{' '}
          <Identifier
            value={device.serialNumber}
            name={t('serialNumber')}
            href={paths.device(device)}
            whole
          />
        </li>
      ))}
    </ul>
  )
}

/** What the user has now, from this order and all others. */
export function OrderSubscription({ order: { userId, subscription, devices } }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const { isActive, remainingDays, expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={<Badge tone={isActive ? 'ok' : 'quiet'}>{t(isActive ? 'active' : 'inactive')}</Badge>}
    >
      <p className={styles['remaining']}>{t('remainingDays', { days: remainingDays })}</p>
      {expiresAt && (
        <p className={styles['ends']}>
          {t('subscriptionEnds')} <DateTime time={expiresAt} />
        </p>
      )}
      <Devices devices={devices} />
      <p className={styles['onward']}>
        <Link href={paths.subscription({ userId })}>{t('openSubscription')}</Link>
        <Link href={paths.user({ id: userId })}>{t('openUser')}</Link>
      </p>
    </Panel>
  )
}
