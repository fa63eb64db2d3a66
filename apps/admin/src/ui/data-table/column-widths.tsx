'use client'

import { useTranslations } from 'next-intl'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './data-table.module.css'
import { moveEdge, NARROWEST, type TableLayout, WIDEST, type Widths } from './table-layout.ts'

const KEY = 'key'

/** How wide the columns stand on the screen; those that a narrow table leaves out are not among them. */
function widthsOn(head: HTMLTableRowElement | null): Widths {
  const cells = [...(head?.cells ?? [])].filter(
    (cell) => cell.dataset[KEY] && getComputedStyle(cell).display !== 'none',
  )
  return Object.fromEntries(cells.map((cell) => [cell.dataset[KEY] ?? '', cell.offsetWidth]))
}

export type ColumnWidths = {
  widths: Widths
  /** Of a column whose width nobody has set. */
  measured: Widths
  measure: () => void
  /** Whether the column is one of those that this width of the table shows. */
  isSeen: (key: string) => boolean
  grasp: (key: string) => (by: number, done: boolean) => void
}

/** Widths as they are set, or as they are while an edge is being dragged. */
export function useColumnWidths(
  head: RefObject<HTMLTableRowElement | null>,
  { layout, keep }: { layout: TableLayout; keep: (layout: TableLayout) => void },
): ColumnWidths {
  const [measured, setMeasured] = useState<Widths>({})
  const [dragged, setDragged] = useState<Widths | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const fixed = Object.keys(layout.widths).length > 0
  useLayoutEffect(() => {
    const row = head.current
    if (!row || !fixed) return
    const look = () => setSeen(Object.keys(widthsOn(row)).join())
    look()
    const observer = new ResizeObserver(look)
    observer.observe(row)
    return () => observer.disconnect()
  }, [head, fixed])
  const grasp = (key: string) => {
    const before = widthsOn(head.current)
    const keys = Object.keys(before)
    const next = keys[keys.indexOf(key) + 1]
    return (by: number, done: boolean) => {
      if (next === undefined) return
      const moved = moveEdge(before, [key, next], by)
      setDragged(done ? null : moved)
      if (done && by !== 0) keep({ ...layout, widths: { ...layout.widths, ...moved } })
    }
  }
  const measure = () => setMeasured(widthsOn(head.current))
  return {
    widths: dragged ? { ...layout.widths, ...dragged } : layout.widths,
    measured,
    measure,
    isSeen: (key) => seen === null || seen.split(',').includes(key),
    grasp,
  }
}

const STEP = 16

type ColumnEdgeProps = {
  title: string
  width: number
  /** Takes the edge up; what it answers moves it from there, and `done` keeps it where it is. */
  grasp: () => (by: number, done: boolean) => void
  measure: () => void
}

/** The right edge of a column's head: dragged, or moved with ← and →. */
export function ColumnEdge({ title, width, grasp, measure }: ColumnEdgeProps) {
  const t = useTranslations('ui')
  const held = useRef<{ from: number; move: ReturnType<typeof grasp> } | null>(null)
  const take = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { from: event.clientX, move: grasp() }
  }
  const drag = ({ clientX }: PointerEvent) => held.current?.move(clientX - held.current.from, false)
  const release = ({ clientX }: PointerEvent) => {
    held.current?.move(clientX - held.current.from, true)
    held.current = null
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (step === undefined) return
    event.preventDefault()
    grasp()(step, true)
  }
  return (
    <hr
      aria-orientation="vertical"
      aria-label={t('columnWidth', { name: title })}
      aria-valuenow={Math.round(width)}
      aria-valuemin={Math.min(NARROWEST, Math.round(width))}
      aria-valuemax={WIDEST}
      tabIndex={0}
      className={styles['edge']}
      onFocus={measure}
      onKeyDown={press}
      onPointerDown={take}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
    />
  )
}
