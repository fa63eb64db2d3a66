import type { OrderState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, Sign } from '../../ui/badge.tsx'
import { orderLooks } from './order-looks.ts'

export function OrderStatusBadge({ status }: { status: OrderState }) {
  const t = useTranslations('orders')
  return <Badge {...orderLooks[status]}>{t(`statuses.${status}`)}</Badge>
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
        {late && <Sign tone="wait" word={t('flags.late')} />}
        {parked && <Sign tone="bad" word={t('flags.parked')} />}
      </>
    )
  return (
    <>
      {late && <Badge tone="wait">{t('flags.late')}</Badge>}
      {parked && <Badge tone="bad">{t('flags.parked')}</Badge>}
    </>
  )
}
