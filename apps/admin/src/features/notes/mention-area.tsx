'use client'

import { type Colleague, MOST_NOTE_CHARACTERS } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { TextArea } from '../../ui/input.tsx'
import optionStyles from '../../ui/option-list.module.css'
import { VisuallyHidden } from '../../ui/text.tsx'
import { offeredAt } from './mentions.ts'
import styles from './notes.module.css'

type MentionAreaProps = {
  id: string
  text: string
  colleagues: readonly Colleague[]
  onChange: (text: string) => void
}

/** Where the text is edited, and which of the names that are offered there a key would take. */
function useOffer({ text, colleagues, onChange }: Omit<MentionAreaProps, 'id'>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [place, setPlace] = useState(0)
  const offered = caret === null ? null : offeredAt(text.slice(0, caret), colleagues)
  const names = offered?.names ?? []
  const edit = (written: string, at: number | null) => {
    onChange(written)
    setCaret(at)
    setPlace(0)
  }
  const take = (name: string) => {
    if (!offered || caret === null) return
    const start = `${text.slice(0, offered.from)}@${name} `
    edit(start + text.slice(caret).replace(/^ /, ''), null)
    const field = area.current
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(start.length, start.length)
    })
  }
  const chosen = names[Math.min(place, names.length - 1)]
  const step = (by: number) => setPlace((place + by + names.length) % names.length)
  return { area, names, chosen, edit, take, step, close: () => setCaret(null) }
}

/** Ctrl or ⌘ and Enter send the form the field stands in; while names are offered, keys choose among them. */
function keysOf({ chosen, take, step, close }: ReturnType<typeof useOffer>) {
  const insert = () => chosen && take(chosen.name)
  const choices = new Map<string, () => void>([
    ['ArrowDown', () => step(1)],
    ['ArrowUp', () => step(-1)],
    ['Enter', insert],
    ['Tab', insert],
    ['Escape', close],
  ])
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      event.currentTarget.form?.requestSubmit()
      return
    }
    const choose = chosen && choices.get(event.key)
    if (!choose) return
    event.preventDefault()
    event.stopPropagation()
    choose()
  }
}

/** A text of several lines in which an @ offers the names of colleagues. */
export function MentionArea({ id, ...props }: MentionAreaProps) {
  const t = useTranslations('notes')
  const list = useId()
  const offer = useOffer(props)
  const { area, names, chosen, edit, take } = offer
  const optionId = (colleague: Colleague) => `${list}-${colleague.id}`
  return (
    <>
      <TextArea
        ref={area}
        id={id}
        rows={4}
        data-autofocus
        maxLength={MOST_NOTE_CHARACTERS}
        value={props.text}
        aria-describedby={`${id}-note`}
        aria-autocomplete="list"
        {...(chosen && { 'aria-controls': list, 'aria-activedescendant': optionId(chosen) })}
        onChange={({ target }) => edit(target.value, target.selectionStart)}
        onKeyDown={keysOf(offer)}
      />
      {chosen && (
        <div id={list} role="listbox" aria-label={t('colleagues')} className={styles['names']}>
          {names.map((colleague) => (
            <div
              key={colleague.id}
              id={optionId(colleague)}
              role="option"
              tabIndex={-1}
              aria-selected={colleague === chosen}
              data-focused={colleague === chosen || undefined}
              className={optionStyles['option']}
              // A press must not take the focus from the text.
              onPointerDown={(event) => {
                event.preventDefault()
                take(colleague.name)
              }}
            >
              {colleague.name}
            </div>
          ))}
        </div>
      )}
      <VisuallyHidden>
        <span role="status">{chosen ? t('offered', { count: names.length }) : ''}</span>
      </VisuallyHidden>
    </>
  )
}
