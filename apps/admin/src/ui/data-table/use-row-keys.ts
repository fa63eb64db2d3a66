import { type RefObject, useMemo } from 'react'
import { type Hotkey, useHotkeys } from '../use-hotkeys.ts'
import type { PageTurns } from './page-turner.tsx'

/** ↑ ↓ walk the links of the rows (Enter then opens one), `[` and `]` turn pages. */
export function useRowKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  { previous, next }: PageTurns,
): void {
  const hotkeys = useMemo<readonly Hotkey[]>(() => {
    const walk = (step: 1 | -1) => {
      const rows = [...(body.current?.rows ?? [])]
      const here = rows.findIndex((row) => row.contains(document.activeElement))
      const there = here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step
      const link = rows[there]?.querySelector<HTMLElement>('a')
      link?.focus()
      link?.scrollIntoView({ block: 'nearest' })
    }
    return [
      ['ArrowDown', () => walk(1)],
      ['ArrowUp', () => walk(-1)],
      ['[', () => previous?.()],
      [']', () => next?.()],
    ]
  }, [body, previous, next])
  useHotkeys(hotkeys)
}
