import type { Scheme } from './palette-and-font.ts'

export const themeChoices = ['system', 'light', 'dark'] as const
/** What the operator asked for; `system` follows the machine. */
export type ThemeChoice = (typeof themeChoices)[number]

export const THEME_COOKIE = 'meridian.theme'
/** What `system` came to in this browser when last looked at: lets the server send the right colours at once. */
export const SCHEME_COOKIE = 'meridian.scheme'

export const readChoice = (text: string | undefined): ThemeChoice =>
  themeChoices.find((choice) => choice === text) ?? 'system'

/** The colours the server sends. */
export const schemeFor = (choice: ThemeChoice, remembered: string | undefined): Scheme =>
  choice === 'system' ? (remembered === 'dark' ? 'dark' : 'light') : choice

/** Runs before the first paint: corrects the colours where the server guessed wrong what `system` means here. */
export const settleScript = `(()=>{const r=document.documentElement;if(r.dataset.theme!=='system')return;
r.dataset.scheme=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'})()`
