'use client'

import { useTranslations } from 'next-intl'
import { type MouseEvent, type ReactNode, type RefObject, use, useEffect, useMemo, useRef } from 'react'
import { useOpen } from '../open-in-place.ts'
import { Skeleton } from '../skeleton.tsx'
import { type Hotkey, useHotkeys } from '../use-hotkeys.ts'
import type { Column } from './column.ts'
import styles from './data-table.module.css'
import type { PageTurns } from './page-turner.tsx'
import { RowActs } from './row-acts.tsx'
import { PicksContext } from './selection.tsx'

type TableRowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  /** Null where a row leads nowhere. */
  href: string | null
  /** Under which it is chosen; null where rows are not. */
  pickKey: string | null
  /** What may be done with it. */
  acts: ReactNode
}

const isOnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label, dialog') !== null

function PickRow({ pickKey }: { pickKey: string }) {
  const t = useTranslations('ui')
  const { keys, toggle } = use(PicksContext)
  return (
    <td className={styles['pick']}>
      <label>
        <input
          type="checkbox"
          aria-label={t('selectRow', { name: pickKey })}
          checked={keys.has(pickKey)}
          onChange={() => toggle(pickKey)}
        />
      </label>
    </td>
  )
}

/** The whole row is a target for the mouse; for the keyboard the link in it is. */
export function TableRow<Row>({ row, columns, href, pickKey, acts }: TableRowProps<Row>) {
  const goTo = useOpen()
  const open = (event: MouseEvent) => {
    if (href === null || isOnControl(event.target) || getSelection()?.type === 'Range') return
    if (event.metaKey || event.ctrlKey) window.open(href, '_blank', 'noopener')
    else goTo(href)
  }
  return (
    <tr className={styles['row']} data-still={href === null || undefined} onClick={open}>
      {pickKey !== null && <PickRow pickKey={pickKey} />}
      {columns.map(({ key, title, align, from, card, cell }, place) => (
        <td key={key} data-align={align} data-from={from} data-card={card} data-title={title}>
          {cell(row)}
          {place === 0 && acts && <RowActs>{acts}</RowActs>}
        </td>
      ))}
    </tr>
  )
}

const places = Array.from({ length: 10 }, (_, place) => place)

/** Rows as high and cells as wide as the real ones will be. */
export function SkeletonRows<Row>({ columns, picks }: { columns: readonly Column<Row>[]; picks: boolean }) {
  return places.map((place) => (
    <tr key={place}>
      {picks && <td className={styles['pick']} />}
      {columns.map(({ key, align, from, card, skeleton }) => (
        <td key={key} data-align={align} data-from={from} data-card={card}>
          <Skeleton width={skeleton} />
        </td>
      ))}
    </tr>
  ))
}

type Body = RefObject<HTMLTableSectionElement | null>

const rowsOf = (body: Body) => [...(body.current?.rows ?? [])]
const hasFocus = (row: HTMLElement) => row.contains(document.activeElement)

function focusRow(row: HTMLElement | undefined): void {
  const link = row?.querySelector('a') ?? row?.querySelector<HTMLElement>('input, button')
  link?.focus()
  link?.scrollIntoView({ block: 'nearest' })
}

/**
 * When the row that has the focus leaves the list, for example after its approval, focuses the row now in its place, or
 * `#main` when no row is left. Removing a focused element fires no blur event: a recorded place without focus tells so.
 */
function useKeptFocus(body: Body) {
  const place = useRef(-1)
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const left = rowsOf(body)
    if (left.length > 0) focusRow(left[Math.min(place.current, left.length - 1)])
    else document.getElementById('main')?.focus()
  })
  return {
    ref: body,
    onFocus: () => {
      place.current = rowsOf(body).findIndex(hasFocus)
    },
    onBlur: () => {
      place.current = -1
    },
  }
}

/**
 * ↑ ↓ walk the links of the rows (Enter then opens one), `x` chooses one, `[` and `]` turn pages. Returns the props of
 * `tbody` that follow the focus.
 */
export function useRowKeys(body: Body, { previous, next }: PageTurns) {
  const hotkeys = useMemo<readonly Hotkey[]>(() => {
    const walk = (step: 1 | -1) => {
      const rows = rowsOf(body)
      const here = rows.findIndex(hasFocus)
      const there = here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step
      focusRow(rows[there])
    }
    return [
      ['ArrowDown', () => walk(1)],
      ['ArrowUp', () => walk(-1)],
      ['x', () => rowsOf(body).find(hasFocus)?.querySelector<HTMLElement>('input[type="checkbox"]')?.click()],
      ['[', () => previous?.()],
      [']', () => next?.()],
    ]
  }, [body, previous, next])
  useHotkeys(hotkeys)
  return useKeptFocus(body)
}
