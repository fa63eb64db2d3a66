import type { OrderDetail } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Notice } from '../../../ui/notice.tsx'
import styles from './detail.module.css'
import { useWord } from './use-word.ts'

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
