'use client'

import { useTranslations } from 'next-intl'
import {
  type ClipboardEvent,
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { Input } from './input.tsx'
import styles from './search-field.module.css'
import inputStyles from './search-input.module.css'
import { type Hotkey, useHotkeys } from './use-hotkeys.ts'

type SearchInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'suffix' | 'ref' | 'onKeyDown'> & {
  'aria-label': string
  field: RefObject<HTMLInputElement | null>
  placeholder: string
  /** Enter asks for what stands there, the cross for nothing. */
  search: (wanted: string) => void
  /** What stands at the end while nothing is typed. */
  hint?: ReactNode
}

/** A field to search by, with a cross that empties it. */
export function SearchInput({ field, search, hint, className = '', ...attributes }: SearchInputProps) {
  const t = useTranslations('ui')
  const clear = () => {
    if (field.current === null) return
    field.current.value = ''
    field.current.focus()
    search('')
  }
  return (
    <Input
      {...attributes}
      ref={field}
      type="search"
      className={`${inputStyles['search']} ${className}`}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={(event) => event.key === 'Enter' && search(event.currentTarget.value)}
      suffix={
        <>
          <span className={inputStyles['hint']}>{hint}</span>
          <button
            type="button"
            className={`${small['small']} ${inputStyles['clear']}`}
            aria-label={t('clearField')}
            onClick={clear}
          >
            <Icon name="close" size={14} />
          </button>
        </>
      }
    />
  )
}

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string | null
  /** What is searched for of a text that was typed or pasted. */
  read: (text: string) => Promise<string>
  search: (wanted: string | null) => void
}

/** Whether a paste replaces all that stands in a field. */
const replacesAll = ({ value, selectionStart, selectionEnd }: HTMLInputElement) =>
  selectionStart === 0 && selectionEnd === value.length

/** Finds by a whole id: searches on Enter, and at once when an id is pasted; `/` puts the cursor here. */
export function SearchField({ label, placeholder, value, read, search }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value ?? '')
  useEffect(() => setText(value ?? ''), [value])
  const hotkeys = useMemo<readonly Hotkey[]>(() => [['/', () => field.current?.select()]], [])
  useHotkeys(hotkeys)

  const latest = useRef('')
  const show = (shown: string) => {
    latest.current = shown
    setText(shown)
  }
  const submit = async (written: string) => {
    show(written)
    const wanted = (await read(written)).trim()
    // Whoever typed on meanwhile has not asked for that yet.
    if (latest.current !== written) return
    show(wanted)
    search(wanted || null)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (pasted === '' || !replacesAll(event.currentTarget)) return
    event.preventDefault()
    void submit(pasted)
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
      onChange={(event) => show(event.target.value)}
      onPaste={paste}
      search={(written) => void submit(written)}
    />
  )
}
