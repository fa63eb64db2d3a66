import { useTranslations } from 'next-intl'
import { RowLink } from '../../kit/list/row-link.tsx'
import { paths } from '../../paths.ts'

/** From a row to whom it belongs to. */
export function UserLink({ userId }: { userId: string }) {
  const t = useTranslations('ui.rowActs')
  return <RowLink href={paths.user({ id: userId })} icon="user" label={t('openUser')} />
}

/** From a row to the days of whom it belongs to. */
export function SubscriptionLink({ userId }: { userId: string }) {
  const t = useTranslations('ui.rowActs')
  return <RowLink href={paths.subscription({ userId })} icon="clock" label={t('openSubscription')} />
}

/** From a row to the order it is about. */
export function OrderLink({ outTradeNo }: { outTradeNo: string }) {
  const t = useTranslations('ui.rowActs')
  return <RowLink href={paths.order({ outTradeNo })} icon="receipt" label={t('openOrder')} />
}
