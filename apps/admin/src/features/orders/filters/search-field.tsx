'use client'

import { Input, type InputRef } from 'antd'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { type Hotkey, useHotkeys } from '../../../ui/use-hotkeys.ts'
import type { OrderListState } from '../use-order-list.ts'
import styles from './filters.module.css'

/** Finds by a whole id; searches on Enter, and at once when an id is pasted. */
export function SearchField({ list: { params, change } }: { list: OrderListState }) {
  const t = useTranslations('orders')
  const field = useRef<InputRef>(null)
  const [text, setText] = useState(params.q ?? '')
  useEffect(() => setText(params.q ?? ''), [params.q])
  const hotkeys = useMemo<readonly Hotkey[]>(() => [['/', () => field.current?.focus({ cursor: 'all' })]], [])
  useHotkeys(hotkeys)

  const search = (wanted: string) => change({ q: wanted.trim() || null })
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (text !== '' || pasted === '') return
    event.preventDefault()
    setText(pasted)
    search(pasted)
  }
  return (
    <Input
      ref={field}
      className={styles['search'] ?? ''}
      type="search"
      aria-label={t('searchLabel')}
      aria-keyshortcuts="/"
      placeholder={t('searchPlaceholder')}
      prefix={<Icon name="search" />}
      suffix={text === '' && <kbd className={styles['key']}>/</kbd>}
      allowClear
      value={text}
      maxLength={64}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onClear={() => search('')}
      onPaste={paste}
      onPressEnter={() => search(text)}
    />
  )
}
