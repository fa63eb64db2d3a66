'use client'

import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { Input, type InputRef } from './input.tsx'
import styles from './search-field.module.css'
import { type Hotkey, useHotkeys } from './use-hotkeys.ts'

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string | null
  search: (wanted: string | null) => void
}

/** Finds by a whole id: searches on Enter, and at once when an id is pasted; `/` puts the cursor here. */
export function SearchField({ label, placeholder, value, search }: SearchFieldProps) {
  const field = useRef<InputRef>(null)
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const hotkeys = useMemo<readonly Hotkey[]>(() => [['/', () => field.current?.focus({ cursor: 'all' })]], [])
  useHotkeys(hotkeys)

  const submit = (wanted: string) => search(wanted.trim() || null)
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (text !== '' || pasted === '') return
    event.preventDefault()
    setText(pasted)
    submit(pasted)
  }
  return (
    <Input
      ref={field}
      className={styles['search'] ?? ''}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      prefix={<Icon name="search" />}
      suffix={text === '' && <kbd className={styles['key']}>/</kbd>}
      allowClear
      value={text}
      maxLength={64}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onClear={() => submit('')}
      onPaste={paste}
      onPressEnter={() => submit(text)}
    />
  )
}
