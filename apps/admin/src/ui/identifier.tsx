'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { truncateMiddle } from '../format.ts'
import { useAnnounce } from './announcer.tsx'
import { copyText } from './copy-and-save.ts'
import styles from './copyable.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { Link } from './link.tsx'
import { VisuallyHidden } from './text.tsx'

/** Copies `text`; `name` says what it is (“order number”). */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])

  const press = async () => {
    const done = await copyText(text)
    setCopied(done)
    announce(done ? t('copied', { name }) : t('copyFailed'))
  }
  return (
    <button
      type="button"
      className={`${small['small']} ${styles['copy']}`}
      data-copied={copied || undefined}
      aria-label={t('copy', { name })}
      title={t('copy', { name })}
      onClick={press}
    >
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  )
}

/** A long value shortened in the middle for who looks, and whole for who listens or searches the page. */
export function Shortened({ value }: { value: string }) {
  const short = truncateMiddle(value)
  if (short === value) return value
  return (
    <>
      <span aria-hidden="true">{short}</span>
      <VisuallyHidden>{value}</VisuallyHidden>
    </>
  )
}

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

/** An id: monospace, shortened in the middle, copied with one press. */
export function Identifier({ value, name, href, ahead = false, whole = false }: IdentifierProps) {
  const text = whole ? value : <Shortened value={value} />
  return (
    <span className={styles['identifier']}>
      {href ? (
        <Link href={href} ahead={ahead} className={styles['link']} title={value} data-raw="">
          {text}
        </Link>
      ) : (
        <span title={value} className={styles['text']} data-whole={whole || undefined} data-raw="">
          {text}
        </span>
      )}
      <CopyButton text={value} name={name} />
    </span>
  )
}
