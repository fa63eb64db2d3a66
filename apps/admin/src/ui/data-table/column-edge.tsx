'use client'

import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import styles from './data-table.module.css'
import { NARROWEST, WIDEST } from './table-layout.ts'

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
