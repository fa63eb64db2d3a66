import type { KeyboardEvent } from 'react'

const steps: Readonly<Record<string, (here: number, last: number) => number>> = {
  ArrowDown: (here, last) => Math.min(here + 1, last),
  ArrowUp: (here) => Math.max(here - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** → opens the group in focus; ← closes it, from any of its pages too, and stands on it then. */
function turnGroup(event: KeyboardEvent<HTMLElement>): void {
  const group = document.activeElement?.closest('[data-group]')
  const head = group?.querySelector<HTMLButtonElement>('button[aria-expanded]')
  if (head?.getAttribute('aria-expanded') !== String(event.key === 'ArrowLeft')) return
  event.preventDefault()
  head.click()
  head.focus()
}

/** ↑ ↓ Home End move through whatever of the navigation is shown; Tab goes on through it as through any links. */
export function walkNavigation(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') turnGroup(event)
  const step = steps[event.key]
  if (!step) return
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')].filter((entry) =>
    entry.checkVisibility(),
  )
  const here = entries.findIndex((entry) => entry.matches(':focus'))
  event.preventDefault()
  entries[step(here, entries.length - 1)]?.focus()
}
