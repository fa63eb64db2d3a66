import { type RefObject, useMemo } from 'react'
import { type Hotkey, useHotkeys } from '../use-hotkeys.ts'
import type { PageTurns } from './page-turner.tsx'

type Body = RefObject<HTMLTableSectionElement | null>

const rowsOf = (body: Body) => [...(body.current?.rows ?? [])]
const hasFocus = (row: HTMLElement) => row.contains(document.activeElement)

/** ↑ ↓ walk the links of the rows (Enter then opens one), `x` chooses one, `[` and `]` turn pages. */
export function useRowKeys(body: Body, { previous, next }: PageTurns): void {
  const hotkeys = useMemo<readonly Hotkey[]>(() => {
    const walk = (step: 1 | -1) => {
      const rows = rowsOf(body)
      const here = rows.findIndex(hasFocus)
      const there = here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step
      const row = rows[there]
      const link = row?.querySelector('a') ?? row?.querySelector<HTMLElement>('input, button')
      link?.focus()
      link?.scrollIntoView({ block: 'nearest' })
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
}
