import type { OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../../ui/badge.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { Panel } from '../../../ui/panel.tsx'
import styles from './detail.module.css'

/** What the user has now, from this order and all others. */
export function OrderSubscription({ subscription }: { subscription: OrderDetail['subscription'] }) {
  const t = useTranslations('order')
  const { isActive, remainingDays, expiresAt } = subscription
  return (
    <Panel
      title={t('subscription')}
      aside={
        <Badge tone={isActive ? 'ok' : 'quiet'} icon={isActive ? 'checkCircle' : 'dash'}>
          {t(isActive ? 'active' : 'inactive')}
        </Badge>
      }
    >
      <p className={styles['remaining']}>{t('remainingDays', { days: remainingDays })}</p>
      {expiresAt && (
        <p className={styles['ends']}>
          {t('subscriptionEnds')} <Moment time={expiresAt} />
        </p>
      )}
    </Panel>
  )
}
