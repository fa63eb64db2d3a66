import type { ReactNode } from 'react'
import styles from './description-list.module.css'
import { EmptyValue } from './empty-value.tsx'

export type Fact = { key: string; term: string; value: ReactNode }

/** Named values, side by side where there is room; `wide` ones hold long ids. */
export function DescriptionList({ items, wide = false }: { items: readonly Fact[]; wide?: boolean }) {
  return (
    <dl className={styles['list']} data-wide={wide || undefined}>
      {items.map(({ key, term, value }) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{value ?? <EmptyValue />}</dd>
        </div>
      ))}
    </dl>
  )
}
