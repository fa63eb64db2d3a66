'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps, ReactNode, RefObject } from 'react'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { Input } from './input.tsx'
import styles from './search-input.module.css'

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
      className={`${styles['search']} ${className}`}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={(event) => event.key === 'Enter' && search(event.currentTarget.value)}
      suffix={
        <>
          <span className={styles['hint']}>{hint}</span>
          <button
            type="button"
            className={`${small['small']} ${styles['clear']}`}
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
