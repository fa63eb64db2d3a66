'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import { copyText } from './copy-text.ts'
import styles from './copyable.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'

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
