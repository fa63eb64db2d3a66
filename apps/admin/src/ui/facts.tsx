import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = { key: string; term: string; value: ReactNode }

/** Named values, side by side where there is room. */
export function Facts({ facts, empty }: { facts: readonly Fact[]; empty: string }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ key, term, value }) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{value ?? <span className={styles['empty']}>{empty}</span>}</dd>
        </div>
      ))}
    </dl>
  )
}
