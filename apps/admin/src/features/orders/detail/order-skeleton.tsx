import { useTranslations } from 'next-intl'
import { DescriptionList } from '../../../ui/description-list.tsx'
import page from '../../../ui/detail-page.module.css'
import { DetailSkeleton } from '../../../ui/detail-skeleton.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from './detail.module.css'

const bars = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    key: String(place),
    term: '\u00a0',
    value: <Skeleton width={120} />,
  }))

/** The shape of an order's page before its content. */
export function OrderSkeleton() {
  const t = useTranslations('order')
  return (
    <DetailSkeleton>
      <div className={styles['columns']}>
        <div className={page['column']}>
          <Panel title={t('facts')}>
            <DescriptionList items={bars(9)} />
          </Panel>
          <Panel title={t('identifiers')}>
            <DescriptionList items={bars(8)} wide />
          </Panel>
        </div>
        <div className={page['column']}>
          <Panel title={t('subscription')}>
            <Skeleton width={140} height={26} />
          </Panel>
          <Panel title={t('timeline')}>
            <Skeleton height={180} />
          </Panel>
        </div>
      </div>
    </DetailSkeleton>
  )
}
