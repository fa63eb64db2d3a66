import { useTranslations } from 'next-intl'
import { PageHeader } from '../../ui/page-header.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './dashboard.module.css'

/** The shape of the dashboard before its figures. */
export function DashboardSkeleton() {
  const t = useTranslations('dashboard')
  const panels = [
    { title: t('revenue'), height: 440 },
    { title: t('userFunnel.title'), height: 200 },
    { title: t('orders'), height: 240 },
    { title: t('subscriptions'), height: 160 },
    { title: t('health'), height: 240 },
  ]
  return (
    <div aria-busy="true">
      <PageHeader title={t('title')} aside={<Skeleton width={200} />} />
      <div className={styles['panels']}>
        {panels.map(({ title, height }) => (
          <Panel key={title} title={title}>
            <Skeleton height={height} />
          </Panel>
        ))}
      </div>
    </div>
  )
}
