import { PageHeader } from './page-header.tsx'
import { Panel } from './panel.tsx'
import styles from './skeleton.module.css'

/** A bar as wide as the text that will stand here. */
export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  return <span aria-hidden="true" data-waiting="" className={styles['bar']} style={{ width, height }} />
}

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
