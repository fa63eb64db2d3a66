import { formatFen, type OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { OrderFlags, OrderStatusBadge } from '../order-status-badge.tsx'
import styles from './detail.module.css'
import { OrderActs } from './order-acts.tsx'

export function OrderHead({ order, watching }: { order: OrderDetail; watching: boolean }) {
  const t = useTranslations('order')
  return (
    <PageHeader
      before={<BackLink href={paths.orders()}>{t('back')}</BackLink>}
      title={
        <span className={styles['title']}>
          {formatFen(order.amountFen)}
          <span className={styles['number']}>{order.outTradeNo}</span>
        </span>
      }
      aside={
        <span className={styles['state']}>
          <CopyButton text={order.outTradeNo} name={t('outTradeNo')} />
          <OrderStatusBadge status={order.status} />
          <OrderFlags late={order.late} parked={order.parked} />
          {watching && <span className={styles['watching']}>{t('waiting')}</span>}
        </span>
      }
      actions={<OrderActs order={order} />}
    />
  )
}
