import styles from './part-list.module.css'

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
    <dl className={styles['parts']}>
      {parts.map(({ key, name, text }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
