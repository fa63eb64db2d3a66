import type { OrderStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'

const looks: Record<OrderStatus, { tone: Tone; icon: IconName }> = {
  created: { tone: 'info', icon: 'receipt' },
  prepay: { tone: 'wait', icon: 'clock' },
  paid: { tone: 'ok', icon: 'checkCircle' },
  closed: { tone: 'quiet', icon: 'dash' },
  refunded: { tone: 'back', icon: 'refund' },
}

export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  const t = useTranslations('orders')
  return <Badge {...looks[status]}>{t(`statuses.${status}`)}</Badge>
}

/** What makes an order unlike the others. */
export function OrderFlags({ late, parked }: { late: boolean; parked: boolean }) {
  const t = useTranslations('orders')
  return (
    <>
      {late && (
        <Badge tone="wait" icon="clock">
          {t('flags.late')}
        </Badge>
      )}
      {parked && (
        <Badge tone="bad" icon="alert">
          {t('flags.parked')}
        </Badge>
      )}
    </>
  )
}
