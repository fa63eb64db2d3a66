import type { ReactNode } from 'react'
import styles from './facts.module.css'
import { Nothing } from './nothing.tsx'

export type Fact = { key: string; term: string; value: ReactNode }

/** Named values, side by side where there is room; `wide` ones hold long ids. */
export function Facts({ facts, wide = false }: { facts: readonly Fact[]; wide?: boolean }) {
  return (
    <dl className={styles['facts']} data-wide={wide || undefined}>
      {facts.map(({ key, term, value }) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{value ?? <Nothing />}</dd>
        </div>
      ))}
    </dl>
  )
}
