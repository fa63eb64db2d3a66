'use client'

import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import styles from './choice-menu.module.css'
import { Icon } from './icon.tsx'
import popupStyles from './popup.module.css'

type Choice<Value extends string> = { value: Value; label: string; icon?: ReactNode; lang?: string }

type ChoiceMenuProps<Value extends string> = {
  label: string
  choices: readonly Choice<Value>[]
  /** What was chosen last; acts have none. */
  value?: Value
  choose: (value: Value) => void
}

/** One of a few, in a pop-up: ↑ ↓ move, Enter or a press chooses. */
export function ChoiceMenu<Value extends string>({ label, choices, value, choose }: ChoiceMenuProps<Value>) {
  const menu = useRef<HTMLFieldSetElement>(null)
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const items = [...(menu.current?.querySelectorAll('button') ?? [])]
    const here = items.findIndex((item) => item.matches(':focus'))
    items.at((here + step) % items.length)?.focus()
  }
  return (
    <fieldset ref={menu} aria-label={label} onKeyDown={walk} className={styles['menu']}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={popupStyles['entry']}
          lang={choice.lang}
          aria-pressed={value === undefined ? undefined : choice.value === value}
          data-autofocus={choice.value === value || undefined}
          onClick={() => choose(choice.value)}
        >
          {choice.icon}
          <span>{choice.label}</span>
          {choice.value === value && <Icon name="check" />}
        </button>
      ))}
    </fieldset>
  )
}
