'use client'

import { useTranslations } from 'next-intl'
import { parseAsString, useQueryStates } from 'nuqs'
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useAnnounce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import type { Column } from './column.ts'
import { parseAsRowsPerPage, type RowsPerPage, rowsPerPage } from './rows-per-page.ts'
import { arrange, moveColumn, plainLayout, type TableLayout, toggleColumn } from './table-layout.ts'
import styles from './table-sheet.module.css'

type Named = { key: string; title: string; from?: Column<unknown>['from'] }

type Arranged = {
  columns: readonly Named[]
  layout: TableLayout
  keep: (layout: TableLayout) => void
}

export type TableSheetProps = Arranged & { usualRows: RowsPerPage }

type LineProps = Arranged & { column: Named; place: number }

function ColumnLine({ column: { key, title, from }, place, columns, layout, keep }: LineProps) {
  const t = useTranslations('ui')
  const announce = useAnnounce()
  const move = (event: MouseEvent<HTMLButtonElement>, step: 1 | -1) => {
    const button = event.currentTarget
    const next = moveColumn(columns, layout, { key, step })
    if (next === layout) return
    // The button moves with its line, and a moved node has lost the focus.
    flushSync(() => keep(next))
    button.focus()
    button.scrollIntoView({ block: 'nearest' })
    announce(t('columnMoved', { name: title, place: place + step + 1 }), { quiet: true })
  }
  const first = place === 0
  return (
    <li className={styles['line']}>
      <label className={styles['column']}>
        <input
          type="checkbox"
          checked={first || !layout.hidden.includes(key)}
          disabled={first}
          onChange={() => keep(toggleColumn(layout, key))}
        />
        <span className={styles['title']}>{title}</span>
        {(first || from) && <small>{t(first ? 'columnFixed' : 'columnWide')}</small>}
      </label>
      {!first && (
        <>
          <button
            type="button"
            className={styles['move']}
            aria-label={t('columnUp', { name: title })}
            title={t('columnUp', { name: title })}
            aria-disabled={place === 1}
            onClick={(event) => move(event, -1)}
          >
            <Icon name="chevronUp" size={14} />
          </button>
          <button
            type="button"
            className={styles['move']}
            aria-label={t('columnDown', { name: title })}
            title={t('columnDown', { name: title })}
            aria-disabled={place === columns.length - 1}
            onClick={(event) => move(event, 1)}
          >
            <Icon name="chevronDown" size={14} />
          </button>
        </>
      )}
    </li>
  )
}

type ChoiceProps<Value> = {
  title: string
  choices: readonly { value: Value; label: ReactNode }[]
  value: Value
  choose: (value: Value) => void
}

function Choice<Value extends string | number>({ title, choices, value, choose }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles['choice']}>
      <legend>{title}</legend>
      <div className={styles['segments']}>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              checked={choice.value === value}
              onChange={() => choose(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** How long a page of the list is, kept in the address; another length starts again at the first page. */
function useRowsPerPage(usual: RowsPerPage) {
  const [{ limit }, set] = useQueryStates(
    { limit: parseAsRowsPerPage.withDefault(usual), cursor: parseAsString },
    { history: 'push' },
  )
  return [limit, (next: RowsPerPage) => void set({ limit: next, cursor: null })] as const
}

/** Which columns a table shows and in which order, how dense and how long it is. */
export function TableSheet({ usualRows, columns, layout, keep }: TableSheetProps) {
  const t = useTranslations('ui')
  const sheet = useRef<HTMLDivElement>(null)
  const [limit, setLimit] = useRowsPerPage(usualRows)
  useEffect(() => sheet.current?.querySelector<HTMLElement>('input:enabled')?.focus(), [])
  return (
    <div ref={sheet} className={styles['sheet']}>
      <fieldset className={styles['choice']}>
        <legend>{t('columns')}</legend>
        <ul className={styles['columns']}>
          {arrange(columns, layout).map((column, place) => (
            <ColumnLine key={column.key} {...{ column, place, columns, layout, keep }} />
          ))}
        </ul>
      </fieldset>
      <Choice
        title={t('density')}
        choices={[
          { value: 'comfortable', label: t('comfortable') },
          { value: 'compact', label: t('compact') },
        ]}
        value={layout.compact ? 'compact' : 'comfortable'}
        choose={(density) => keep({ ...layout, compact: density === 'compact' })}
      />
      <Choice
        title={t('rowsPerPage')}
        choices={rowsPerPage.map((value) => ({ value, label: value }))}
        value={limit}
        choose={setLimit}
      />
      <Button block onClick={() => keep(plainLayout)}>
        {t('resetTable')}
      </Button>
    </div>
  )
}
