'use client'

import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { truncateMiddle } from '../format.ts'
import { useAnnounce } from './announcer.tsx'
import { copyText } from './copy-and-save.ts'
import styles from './copyable.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { VisuallyHidden } from './text.tsx'

/** A pointer that only passes on its way elsewhere has left by then. */
const INTENT_MS = 80

/**
 * A link whose page is read ahead once somebody is about to press it: pointed at, or focused. Only for pages whose
 * reading leaves no trace.
 */
export function PrefetchLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [wanted, setWanted] = useState(false)
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => clearTimeout(intent.current)
  const approach = () => {
    leave()
    intent.current = setTimeout(() => setWanted(true), INTENT_MS)
  }
  useEffect(() => () => clearTimeout(intent.current), [])
  return (
    <Link
      {...props}
      prefetch={wanted}
      onPointerEnter={approach}
      onPointerLeave={leave}
      onFocus={approach}
      onBlur={leave}
    />
  )
}

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
