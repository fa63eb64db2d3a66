import { useTranslations } from 'next-intl'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './orders.module.css'

/** The shape of the list before its content. */
export function OrdersSkeleton() {
  const t = useTranslations('orders')
  return (
    <div aria-busy="true">
      <PageHeader title={t('title')} aside={<Skeleton width={200} />} />
      <Panel>
        <div className={styles['waiting']}>
          <Skeleton height={46} />
          <Skeleton height={64} />
          <Skeleton height={42} />
          {Array.from({ length: 10 }, (_, place) => place).map((place) => (
            <Skeleton key={place} height={52} />
          ))}
        </div>
      </Panel>
    </div>
  )
}
