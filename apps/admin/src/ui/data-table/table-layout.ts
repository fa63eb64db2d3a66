'use client'

import { createContext, use, useCallback, useLayoutEffect, useState } from 'react'
import { ARRANGING, LAYOUT_PREFIX } from './arrange-script.ts'

/** What an edge leaves a column; one that its content makes narrower by itself stays as it is. */
export const NARROWEST = 80
export const WIDEST = 10_000
const MOST_COLUMNS = 100

export type Widths = Record<string, number>

/** How an operator wants a list to look. */
export type TableLayout = {
  /** Keys of columns from left to right; what is missing stands where the list puts it. */
  order: string[]
  hidden: string[]
  /** Pixels, of which only the proportions count; empty while columns are as wide as their content. */
  widths: Widths
  compact: boolean
}

export const plainLayout: TableLayout = { order: [], hidden: [], widths: {}, compact: false }

const keysOf = (kept: unknown): string[] =>
  Array.isArray(kept) && kept.length <= MOST_COLUMNS && kept.every((key) => typeof key === 'string')
    ? kept
    : []

function widthsOf(kept: unknown): Widths {
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return {}
  const widths = Object.entries(kept)
  const isWidth = (entry: [string, unknown]): entry is [string, number] =>
    typeof entry[1] === 'number' && entry[1] > 0 && entry[1] <= WIDEST
  return widths.every(isWidth) ? Object.fromEntries(widths) : {}
}

/**
 * What the browser kept, as far as it still makes sense. Read by hand: zod would be 30 KB of the first load of every
 * list.
 */
export function readLayout(text: string | null): TableLayout {
  try {
    const kept: unknown = JSON.parse(text ?? '{}')
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return plainLayout
    const { order, hidden, widths, compact }: { [Part in keyof TableLayout]?: unknown } = kept
    return {
      order: keysOf(order),
      hidden: keysOf(hidden),
      widths: widthsOf(widths),
      compact: compact === true,
    }
  } catch {
    return plainLayout
  }
}

type Keyed = { key: string }

/** All columns in the operator's order. The first one names the row and stays where it is. */
export function arrange<Item extends Keyed>(columns: readonly Item[], { order }: TableLayout): Item[] {
  const [first, ...rest] = columns
  if (!first) return []
  const known = new Map(rest.map((column) => [column.key, column]))
  const arranged = [...new Set(order)].flatMap((key) => known.get(key) ?? [])
  rest.forEach((column, place) => {
    if (arranged.includes(column)) return
    const before = rest[place - 1]
    arranged.splice(before ? arranged.indexOf(before) + 1 : 0, 0, column)
  })
  return [first, ...arranged]
}

/** The columns that are shown: the first one always is. */
export const shownOf = <Item extends Keyed>(columns: readonly Item[], layout: TableLayout): Item[] =>
  arrange(columns, layout).filter(({ key }, place) => place === 0 || !layout.hidden.includes(key))

export const toggleColumn = (layout: TableLayout, key: string): TableLayout => ({
  ...layout,
  hidden: layout.hidden.includes(key)
    ? layout.hidden.filter((other) => other !== key)
    : [...layout.hidden, key],
})

/** The column one place further; nothing passes the first one or the end. */
export function moveColumn(
  columns: readonly Keyed[],
  layout: TableLayout,
  { key, step }: { key: string; step: 1 | -1 },
): TableLayout {
  const order = arrange(columns, layout).map((column) => column.key)
  const here = order.indexOf(key)
  const there = here + step
  const other = order[there]
  if (here < 1 || there < 1 || other === undefined) return layout
  order[here] = other
  order[there] = key
  return { ...layout, order }
}

/** Moves the edge between two neighbours: what one gains the other gives, down to the narrowest. */
export function moveEdge(widths: Widths, [left, right]: readonly [string, string], by: number): Widths {
  const before = widths[left] ?? NARROWEST
  const after = widths[right] ?? NARROWEST
  const atMost = Math.max(0, after - NARROWEST)
  const atLeast = Math.min(0, NARROWEST - before)
  const gain = Math.max(atLeast, Math.min(by, atMost))
  return { ...widths, [left]: before + gain, [right]: after - gain }
}

/** How wide the column of boxes is, which nobody moves. */
export const PICK_WIDTH = 52

/** Shares of the table's width, so that it is never wider than its page; `besides` is what other columns take of it. */
export function sharesOf(
  columns: readonly (Keyed & { skeleton: number })[],
  widths: Widths,
  besides = 0,
): Map<string, number> {
  const widthOf = ({ key, skeleton }: Keyed & { skeleton: number }) => widths[key] ?? skeleton + 24
  const sum = columns.reduce((total, column) => total + widthOf(column), besides)
  return new Map(columns.map((column) => [column.key, widthOf(column) / sum]))
}

/** Whose browser it is: several operators may share one, and each keeps their own tables. */
export const TableOwner = createContext('')

function inStorage<Answer>(act: (storage: Storage) => Answer): Answer | null {
  try {
    return act(localStorage)
  } catch {
    // Closed to this page, or full: the table is then arranged until the page is left.
    return null
  }
}

/** How the operator wants this list to look, kept in this browser. */
export function useTableLayout(name: string): [TableLayout, (layout: TableLayout) => void] {
  const key = `${LAYOUT_PREFIX}${use(TableOwner)}.${name}`
  const [layout, setLayout] = useState(plainLayout)
  useLayoutEffect(() => {
    setLayout(readLayout(inStorage((storage) => storage.getItem(key))))
    document.getElementById(ARRANGING)?.remove()
  }, [key])
  const keep = useCallback(
    (next: TableLayout) => {
      setLayout(next)
      inStorage((storage) =>
        next === plainLayout ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(next)),
      )
    },
    [key],
  )
  return [layout, keep]
}
