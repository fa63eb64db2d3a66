import Link from 'next/link'
import { truncateMiddle } from '../format.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './copyable.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

type IdentifierProps = {
  value: string
  /** What it is, for the copy button. */
  name: string
  /** Where the thing it names is shown. */
  href?: string
  /** Shown whole where there is room for it. */
  whole?: boolean
}

/** An id: monospace, shortened in the middle, copied with one press. */
export function Identifier({ value, name, href, whole = false }: IdentifierProps) {
  const short = whole ? value : truncateMiddle(value)
  const text =
    short === value ? (
      value
    ) : (
      <>
        <span aria-hidden="true">{short}</span>
        <VisuallyHidden>{value}</VisuallyHidden>
      </>
    )
  return (
    <span className={styles['identifier']}>
      {href ? (
        <Link href={href} prefetch={false} className={styles['link']} title={value}>
          {text}
        </Link>
      ) : (
        <span title={value} className={styles['text']} data-whole={whole || undefined}>
          {text}
        </span>
      )}
      <CopyButton text={value} name={name} />
    </span>
  )
}
