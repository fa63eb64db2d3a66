import { formatFen, type OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import page from '../../../ui/detail-page.module.css'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { OrderFlags, OrderStatusBadge } from '../order-status-badge.tsx'
import styles from './detail.module.css'
import { OrderActs } from './order-acts.tsx'
import { useWord } from './use-word.ts'

export function OrderHead({ order, watching }: { order: OrderDetail; watching: boolean }) {
  const t = useTranslations('order')
  return (
    <PageHeader
      before={<BackLink href={paths.orders()}>{t('back')}</BackLink>}
      title={
        <span className={page['title']}>
          {formatFen(order.amountFen)}
          <span className={styles['number']}>{order.outTradeNo}</span>
        </span>
      }
      aside={
        <span className={page['state']}>
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

/** What about this order wants attention, before everything else. */
export function OrderNotices({ order }: { order: OrderDetail }) {
  const t = useTranslations('order')
  const word = useWord()
  if (!order.parked && !order.late && !order.payerDiffers) return null
  return (
    <div className={styles['notices']}>
      {order.parked && (
        <Notice tone="bad">
          {t('parked')}
          {order.parkReason && ` · ${word('parkReasons', order.parkReason)}`}
        </Notice>
      )}
      {order.late && (
        <Notice tone="wait" icon="clock">
          {t('late')}
        </Notice>
      )}
      {order.payerDiffers && <Notice tone="wait">{t('payerDiffers')}</Notice>}
    </div>
  )
}
