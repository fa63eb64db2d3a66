'use client'

import dynamic from 'next/dynamic'
import { type KeyboardEvent, useId } from 'react'
import { Icon } from './icon.tsx'
import popupStyles from './popup.module.css'
import { usePopover } from './popup.tsx'
import styles from './select.module.css'
import { type Option, seekOption } from './select-option.ts'
import { Skeleton } from './skeleton.tsx'

// The list and its keyboard come with the first intention to open one: most pages are left without it.
const loadOptionList = () => import('./option-list.tsx').then((module) => module.OptionList)
const OptionList = dynamic(loadOptionList, { ssr: false, loading: () => <Skeleton height={28} /> })

type SelectProps<Value extends string> = {
  'aria-label': string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** Offers a field to narrow a long list by. */
  searchable?: boolean
  className?: string
}

const listClass = `${popupStyles['popup']} ${styles['list']}`

type ClosedList<Value extends string> = Pick<SelectProps<Value>, 'options' | 'value' | 'onChange'> & {
  show: () => void
}

// Enter and Space too: the click they would make counts as a screen reader's to React Aria, which then focuses late.
const opening: readonly string[] = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

/** The keys of a closed list. */
const pressing =
  <Value extends string>({ options, value, onChange, show }: ClosedList<Value>) =>
  (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (opening.includes(event.key)) {
      event.preventDefault()
      show()
    } else {
      const sought = seekOption(options, { after: value, start: event.key })
      if (sought !== null && sought !== value) onChange(sought)
    }
  }

/**
 * One of several, in a list below its button (WAI-ARIA Authoring Practices, "select-only combobox"). Arrows open it;
 * typing chooses without opening it, as in the browser's own.
 */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  searchable = false,
  className = '',
  ...attributes
}: SelectProps<Value>) {
  const id = useId()
  const { anchor, popup, open, close, onToggle } = usePopover<HTMLSpanElement>('start')
  const show = () => popup.current?.showPopover()
  const choose = (place: number) => {
    const chosen = options[place]
    if (chosen !== undefined && chosen.value !== value) onChange(chosen.value)
    close()
  }
  return (
    <span ref={anchor} className={`${styles['root']} ${className}`}>
      <button
        {...attributes}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        {...(open && { 'aria-controls': `${id}-list` })}
        popoverTarget={id}
        className={`${popupStyles['trigger']} ${styles['trigger']}`}
        onPointerEnter={() => void loadOptionList()}
        onFocus={() => void loadOptionList()}
        onKeyDown={pressing({ options, value, onChange, show })}
      >
        <span className={styles['value']}>{options.find((option) => option.value === value)?.label}</span>
        <Icon name="chevronDown" size={14} />
      </button>
      <div id={id} ref={popup} popover="auto" className={listClass} onToggle={onToggle}>
        {open && (
          <OptionList
            id={`${id}-list`}
            label={attributes['aria-label']}
            options={options}
            value={value}
            searchable={searchable}
            choose={choose}
          />
        )}
      </div>
    </span>
  )
}
