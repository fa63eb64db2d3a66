'use client'

import { useTranslations } from 'next-intl'
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Input, SearchField } from 'react-aria-components/SearchField'
import { Icon } from './icon.tsx'
import inputStyles from './input.module.css'
import styles from './option-list.module.css'
import { ReactAriaLocale } from './react-aria-locale.tsx'
import type { Option } from './select-option.ts'

type OptionListProps = {
  id: string
  label: string
  options: readonly Option[]
  value: string
  searchable: boolean
  /** Takes the place of the chosen option in the list. */
  choose: (place: number) => void
}

function Options({ id, label, options, value, searchable, choose }: OptionListProps) {
  const t = useTranslations('ui')
  const chosen = options.findIndex((option) => option.value === value)
  return (
    <ListBox
      id={id}
      aria-label={label}
      className={styles['options'] ?? ''}
      // Within a search the field keeps the focus.
      autoFocus={!searchable}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const [place] = keys
        if (typeof place === 'number') choose(place)
      }}
      renderEmptyState={() => <div className={styles['empty']}>{t('noOption')}</div>}
    >
      {options.map((option, place) => (
        <ListBoxItem
          key={option.value}
          id={place}
          textValue={option.label}
          className={styles['option'] ?? ''}
          // Choosing anew what is chosen is no change of the selection, but an answer all the same.
          onPress={() => place === chosen && choose(place)}
        >
          <span>{option.label}</span>
          {place === chosen && <Icon name="check" />}
        </ListBoxItem>
      ))}
    </ListBox>
  )
}

/** The options of a list, with its keyboard: arrows, Home and End, typing; or a field to narrow them by. */
export function OptionList(props: OptionListProps) {
  const { contains } = useFilter({ sensitivity: 'base' })
  if (!props.searchable)
    return (
      <ReactAriaLocale>
        <Options {...props} />
      </ReactAriaLocale>
    )
  return (
    <ReactAriaLocale>
      <Autocomplete filter={contains}>
        <SearchField aria-label={props.label} autoFocus className={styles['search'] ?? ''}>
          <Icon name="search" />
          <Input className={inputStyles['field'] ?? ''} />
        </SearchField>
        <Options {...props} />
      </Autocomplete>
    </ReactAriaLocale>
  )
}
