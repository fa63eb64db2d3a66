'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import styles from './copyable.module.css'
import { Icon } from './icon.tsx'

/** The clipboard is closed to pages on plain http; a selected field still copies there. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  return copied
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
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
    const done = await copy(text)
    setCopied(done)
    announce(done ? t('copied', { name }) : t('copyFailed'))
  }
  return (
    <button
      type="button"
      className={styles['copy']}
      data-copied={copied || undefined}
      aria-label={t('copy', { name })}
      title={t('copy', { name })}
      onClick={press}
    >
      <Icon name={copied ? 'check' : 'copy'} size={14} />
    </button>
  )
}
