import { PageHeader } from './page-header.tsx'
import { Panel } from './panel.tsx'
import styles from './skeleton.module.css'
import { Skeleton } from './skeleton.tsx'

const rows = Array.from({ length: 10 }, (_, place) => place)

/** The shape of a list before its content. */
export function ListSkeleton({ title }: { title: string }) {
  return (
    <div aria-busy="true">
      <PageHeader title={title} aside={<Skeleton width={120} />} />
      <Panel>
        <div className={styles['waiting']}>
          <Skeleton height={46} />
          <Skeleton height={64} />
          <Skeleton height={42} />
          {rows.map((place) => (
            <Skeleton key={place} height={52} />
          ))}
        </div>
      </Panel>
    </div>
  )
}
