import Link from 'next/link'
import type { ComponentProps } from 'react'
import { truncateMiddle } from '../format.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './copyable.module.css'
import { PrefetchLink } from './prefetch-link.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

type IdentifierProps = {
  value: string
  /** What it is, for the copy button. */
  name: string
  /** Where the thing it names is shown. */
  href?: string
  /** Its page is read as soon as somebody points at it: for those that are opened in a hurry. */
  ahead?: boolean
  /** Shown whole where there is room for it. */
  whole?: boolean
}

const PlainLink = (props: ComponentProps<typeof Link>) => <Link {...props} prefetch={false} />

/** An id: monospace, shortened in the middle, copied with one press. */
export function Identifier({ value, name, href, ahead = false, whole = false }: IdentifierProps) {
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
  const To = ahead ? PrefetchLink : PlainLink
  return (
    <span className={styles['identifier']}>
      {href ? (
        <To href={href} className={styles['link']} title={value} data-raw="">
          {text}
        </To>
      ) : (
        <span title={value} className={styles['text']} data-whole={whole || undefined} data-raw="">
          {text}
        </span>
      )}
      <CopyButton text={value} name={name} />
    </span>
  )
}
