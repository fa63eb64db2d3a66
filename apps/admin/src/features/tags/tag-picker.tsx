'use client'

import {
  MOST_TAG_CHARACTERS,
  MOST_TAGS_OF_SUBJECT,
  type NewTag,
  type TagChip as Tag,
  type TagColor,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useId, useState } from 'react'
import { Input } from '../../ui/input.tsx'
import optionStyles from '../../ui/option-list.module.css'
import { VisuallyHidden } from '../../ui/text.tsx'
import { offeredTags } from './offered-tags.ts'
import { TagChip, TagColors } from './tag-chip.tsx'
import styles from './tags.module.css'
import { useTagChoices } from './use-tag-choices.ts'

type TagPickerProps = {
  /** The tags that are set already. */
  borne: readonly Tag[]
  set: (tag: Tag) => void
  make: (tag: NewTag) => void
}

type Option = {
  key: string
  tag: Pick<Tag, 'label' | 'color' | 'isArchived'>
  isNew: boolean
  take: () => void
}

/** What is typed, what it offers, and which of that a key would take. */
function useOptions({ borne, set, make }: TagPickerProps) {
  const { data } = useTagChoices()
  const [text, setText] = useState('')
  const [color, setColor] = useState<TagColor>('blue')
  const [place, setPlace] = useState(0)
  const { tags, newLabel } = offeredTags({ choices: data?.items ?? [], borne, text })
  const options = tags.map((tag): Option => ({ key: tag.id, tag, isNew: false, take: () => set(tag) }))
  if (newLabel !== null) {
    const made = { label: newLabel, color }
    options.push({ key: 'new', tag: { ...made, isArchived: false }, isNew: true, take: () => make(made) })
  }
  const chosen = options[Math.min(place, options.length - 1)]
  const edit = (typed: string) => {
    setText(typed)
    setPlace(0)
  }
  const step = (by: number) => setPlace((place + by + options.length) % options.length)
  return { text, edit, color, setColor, options, chosen, step, isRead: data !== undefined, newLabel }
}

function keysOf({ chosen, step }: ReturnType<typeof useOptions>) {
  const keys = new Map<string, () => void>([
    ['ArrowDown', () => step(1)],
    ['ArrowUp', () => step(-1)],
    ['Enter', () => chosen?.take()],
  ])
  return (event: KeyboardEvent<HTMLInputElement>) => {
    const press = keys.get(event.key)
    if (!press || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (chosen) press()
  }
}

type OptionItemProps = { id: string; option: Option; isChosen: boolean }

function OptionItem({ id, option: { tag, isNew, take }, isChosen }: OptionItemProps) {
  const t = useTranslations('tags')
  return (
    <div
      id={id}
      ref={(item) => {
        if (isChosen) item?.scrollIntoView({ block: 'nearest' })
      }}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      data-focused={isChosen || undefined}
      className={optionStyles['option']}
      // A press must not take the focus from the text.
      onPointerDown={(event) => event.preventDefault()}
      onPointerUp={take}
    >
      <TagChip tag={tag} />
      {isNew && <span className={styles['note']}>{t('createNew')}</span>}
    </div>
  )
}

/** Finds a tag by what is typed: Enter sets it, and makes it first where there is none. */
export function TagPicker(props: TagPickerProps) {
  const t = useTranslations('tags')
  const list = useId()
  const picked = useOptions(props)
  const { text, edit, color, setColor, options, chosen, isRead, newLabel } = picked
  if (props.borne.length >= MOST_TAGS_OF_SUBJECT)
    return <p className={styles['note']}>{t('full', { most: String(MOST_TAGS_OF_SUBJECT) })}</p>
  const idOf = ({ key }: Option) => `${list}-${key}`
  const said =
    options.length > 0 ? t('offered', { count: options.length }) : t(text.trim() ? 'noMatch' : 'noneYet')
  return (
    <div className={styles['picker']}>
      <Input
        data-autofocus
        autoFocus
        role="combobox"
        aria-label={t('find')}
        aria-expanded={options.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        {...(chosen && { 'aria-activedescendant': idOf(chosen) })}
        placeholder={t('placeholder')}
        autoComplete="off"
        spellCheck={false}
        maxLength={MOST_TAG_CHARACTERS}
        value={text}
        onChange={({ target }) => edit(target.value)}
        onKeyDown={keysOf(picked)}
      />
      <div id={list} role="listbox" aria-label={t('title')} className={optionStyles['options']}>
        {options.map((option) => (
          <OptionItem key={option.key} id={idOf(option)} option={option} isChosen={option === chosen} />
        ))}
      </div>
      {isRead && options.length === 0 && <p className={styles['note']}>{said}</p>}
      {newLabel !== null && <TagColors name={`${list}-color`} value={color} choose={setColor} />}
      <VisuallyHidden>
        <span role="status">{isRead ? said : ''}</span>
      </VisuallyHidden>
    </div>
  )
}
