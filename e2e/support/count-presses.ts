import type { Page } from '@playwright/test'

/** What a person has pressed: clicks, keys that are no text (one for a chord such as Ctrl K), and typed characters. */
export type Presses = { clicks: number; keys: number; characters: number }

const kinds = ['clicks', 'keys', 'characters'] as const
type Kind = (typeof kinds)[number]

const isKind = (told: unknown): told is Kind => kinds.some((kind) => kind === told)

/** Tells of every press that a person makes on the page; those that a script makes are none. */
function tellPresses(): void {
  const tell = (kind: 'clicks' | 'keys' | 'characters') => {
    const tellPress: unknown = Reflect.get(window, 'tellPress')
    if (typeof tellPress === 'function') tellPress(kind)
  }
  // The click that a key makes of a button has no pointer behind it, and its key is counted.
  window.addEventListener('click', (event) => event.isTrusted && event.detail > 0 && tell('clicks'), true)
  window.addEventListener(
    'keydown',
    ({ key, ctrlKey, metaKey, target }) => {
      if (['Control', 'Meta', 'Shift', 'Alt'].includes(key)) return
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]')
      tell(key.length === 1 && isTyping && !ctrlKey && !metaKey ? 'characters' : 'keys')
    },
    true,
  )
}

/** What was pressed on each page since it was first counted. */
const pressesOf = new WeakMap<Page, Presses>()

async function follow(page: Page): Promise<Presses> {
  const known = pressesOf.get(page)
  if (known) return known
  const presses: Presses = { clicks: 0, keys: 0, characters: 0 }
  pressesOf.set(page, presses)
  await page.exposeFunction('tellPress', (told: unknown) => {
    if (isKind(told)) presses[told] += 1
  })
  await page.addInitScript(tellPresses)
  await page.evaluate(tellPresses)
  return presses
}

/**
 * Counts what is pressed on a page from now on, across navigations; answers what was pressed so far. Text that is filled
 * in rather than typed counts nothing, nor does what a keyboard cannot type without help, as Chinese.
 */
export async function countPresses(page: Page): Promise<() => Presses> {
  const presses = await follow(page)
  const before = { ...presses }
  return () => ({
    clicks: presses.clicks - before.clicks,
    keys: presses.keys - before.keys,
    characters: presses.characters - before.characters,
  })
}
