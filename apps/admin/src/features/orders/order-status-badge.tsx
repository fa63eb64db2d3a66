import type { OrderStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

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

function Sign({ tone, icon, word }: { tone: Tone; icon: IconName; word: string }) {
  return (
    <Badge tone={tone} icon={icon} title={word}>
      <VisuallyHidden>{word}</VisuallyHidden>
    </Badge>
  )
}

type OrderFlagsProps = {
  late: boolean
  parked: boolean
  /** In the row of a list: signs beside the one badge of the row, their words for who points at them. */
  signs?: boolean
}

/** What makes an order unlike the others. */
export function OrderFlags({ late, parked, signs = false }: OrderFlagsProps) {
  const t = useTranslations('orders')
  if (signs)
    return (
      <>
        {late && <Sign tone="wait" icon="clock" word={t('flags.late')} />}
        {parked && <Sign tone="bad" icon="alert" word={t('flags.parked')} />}
      </>
    )
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
