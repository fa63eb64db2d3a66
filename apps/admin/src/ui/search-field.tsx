'use client'

import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import styles from './search-field.module.css'
import { SearchInput } from './search-input.tsx'
import { type Hotkey, useHotkeys } from './use-hotkeys.ts'

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string | null
  search: (wanted: string | null) => void
}

/** Finds by a whole id: searches on Enter, and at once when an id is pasted; `/` puts the cursor here. */
export function SearchField({ label, placeholder, value, search }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const hotkeys = useMemo<readonly Hotkey[]>(() => [['/', () => field.current?.select()]], [])
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
    <SearchInput
      field={field}
      className={styles['search'] ?? ''}
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={placeholder}
      prefix={<Icon name="search" />}
      hint={<kbd className={styles['key']}>/</kbd>}
      value={text}
      maxLength={64}
      onChange={(event) => setText(event.target.value)}
      onPaste={paste}
      search={(wanted) => {
        setText(wanted)
        submit(wanted)
      }}
    />
  )
}
