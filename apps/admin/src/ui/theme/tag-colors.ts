import type { TagColor } from '@meridian/contracts'

type Shade = { ink: string; soft: string }

/** The colours of tags: each `ink` stands on its `soft` ground at 4.5:1 or better (WCAG AA). */
export const tagShades: Readonly<Record<'light' | 'dark', Readonly<Record<TagColor, Shade>>>> = {
  light: {
    gray: { ink: '#4b5857', soft: '#e9eeee' },
    red: { ink: '#a8271f', soft: '#fde4e1' },
    orange: { ink: '#8f4300', soft: '#fde6d2' },
    yellow: { ink: '#6b5300', soft: '#f8eebd' },
    green: { ink: '#14653a', soft: '#daf1e3' },
    blue: { ink: '#22568f', soft: '#dfebf8' },
    purple: { ink: '#6a3fa0', soft: '#ece2f9' },
    pink: { ink: '#9c2465', soft: '#fbe0ee' },
  },
  dark: {
    gray: { ink: '#b3c0bf', soft: '#2a3737' },
    red: { ink: '#ff9c92', soft: '#441f1b' },
    orange: { ink: '#f7b27a', soft: '#402713' },
    yellow: { ink: '#e8cf6a', soft: '#39310f' },
    green: { ink: '#7fd6a0', soft: '#183824' },
    blue: { ink: '#92c2f4', soft: '#1a3049' },
    purple: { ink: '#cbb0f2', soft: '#312545' },
    pink: { ink: '#f5a3cb', soft: '#431d32' },
  },
}

const rules = (scheme: keyof typeof tagShades, within = '') =>
  Object.entries(tagShades[scheme])
    .map(([color, { ink, soft }]) => `${within}[data-tag=${color}]{--tag-ink:${ink};--tag-soft:${soft}}`)
    .join('')

/** What is shown in the colour of a tag (`data-tag`) takes its ground and its ink from here. */
export const tagCss = `${rules('light')}@media screen{${rules('dark', ':root[data-scheme=dark] ')}}`
