import type { ReactNode } from 'react'
import styles from './description-list.module.css'
import partStyles from './part-list.module.css'
import { EmptyValue } from './text.tsx'

export type Fact = { key: string; term: string; value: ReactNode }

/** Named values, side by side where there is room; `wide` ones hold long ids. */
export function DescriptionList({ items, wide = false }: { items: readonly Fact[]; wide?: boolean }) {
  return (
    <div className={styles['frame']}>
      <dl className={styles['list']} data-wide={wide || undefined}>
        {items.map(({ key, term, value }) => (
          <div key={key}>
            <dt>{term}</dt>
            <dd>{value ?? <EmptyValue />}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** A part of a value as a person reads it. */
export type Part = {
  key: string
  name: string
  text: string
  /** What the text lists, where it is a list. */
  items?: readonly string[]
}

/** The parts of one value below each other, each after its name. */
export function PartList({ parts }: { parts: readonly Part[] }) {
  return (
    <dl className={partStyles['parts']}>
      {parts.map(({ key, name, text }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
