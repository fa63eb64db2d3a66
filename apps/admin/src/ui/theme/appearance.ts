import type { Tone } from '../badge.tsx'

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

type Scheme = 'light' | 'dark'

/** Text colours stand on `surface`, `raised` and `page` at 4.5:1 or better; `*Ink` on its `*Soft` too. */
const light = {
  page: '#f5f7f7',
  surface: '#ffffff',
  raised: '#fafbfb',
  hover: '#f0f4f4',
  line: '#e3e8e8',
  lineStrong: '#c9d2d2',
  field: '#8a9797',
  ink: '#14201f',
  inkSoft: '#475655',
  inkFaint: '#5c6b6a',
  accent: '#0f6f69',
  accentHover: '#0b5c57',
  accentInk: '#ffffff',
  accentSoft: '#e2f2f0',
  link: '#0b655f',
  focus: '#0f6f69',
  okInk: '#14653a',
  okSoft: '#e3f4e9',
  waitInk: '#8a4b06',
  waitSoft: '#fdf0dc',
  quietInk: '#4b5857',
  quietSoft: '#edf1f1',
  infoInk: '#22568f',
  infoSoft: '#e5eff9',
  backInk: '#6a3fa0',
  backSoft: '#f1eafa',
  badInk: '#a8271f',
  badSoft: '#fdeae8',
  tooltip: '#22302f',
  tooltipInk: '#ffffff',
  shadow: '0 1px 2px rgb(20 32 31 / 4%), 0 1px 8px rgb(20 32 31 / 3%)',
  shadowFloating: '0 12px 32px rgb(20 32 31 / 16%)',
}

export type Palette = Readonly<Record<keyof typeof light, string>>

const dark: Palette = {
  page: '#0f1515',
  surface: '#161e1e',
  raised: '#1b2424',
  hover: '#202b2b',
  line: '#283434',
  lineStrong: '#3b4a4a',
  field: '#6f8080',
  ink: '#e8eeed',
  inkSoft: '#b3c0bf',
  inkFaint: '#93a2a1',
  accent: '#45c4b8',
  accentHover: '#63d3c8',
  accentInk: '#04211e',
  accentSoft: '#143330',
  link: '#63d3c8',
  focus: '#63d3c8',
  okInk: '#7fd6a0',
  okSoft: '#15301f',
  waitInk: '#f0bd72',
  waitSoft: '#35270f',
  quietInk: '#b3c0bf',
  quietSoft: '#243030',
  infoInk: '#92c2f4',
  infoSoft: '#17293e',
  backInk: '#cbb0f2',
  backSoft: '#2a2039',
  badInk: '#ff9c92',
  badSoft: '#3d1c19',
  tooltip: '#33403f',
  tooltipInk: '#ffffff',
  shadow: '0 1px 2px rgb(0 0 0 / 30%)',
  shadowFloating: '0 16px 40px rgb(0 0 0 / 55%)',
}

export const palettes: Readonly<Record<Scheme, Palette>> = { light, dark }

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const variables = (palette: Partial<Palette>) =>
  Object.entries(palette)
    .map(([name, value]) => `--${kebab(name)}:${value}`)
    .join(';')

/** What is shown in a tone (`data-tone`) takes its ground and its ink from here. */
const tones: readonly Tone[] = ['ok', 'wait', 'quiet', 'info', 'back', 'bad']

const toneCss = tones.map(
  (tone) => `[data-tone=${tone}]{--tone-soft:var(--${tone}-soft);--tone-ink:var(--${tone}-ink)}`,
)

const onPaper = { page: '#ffffff', ink: '#000000', inkSoft: '#000000', inkFaint: '#000000', shadow: 'none' }

/** The palettes as CSS variables (`--ink-soft`), chosen by `data-scheme` of the root element; paper is always white. */
export const paletteCss = [
  `:root{color-scheme:light;${variables(light)}}`,
  `@media screen{:root[data-scheme=dark]{color-scheme:dark;${variables(dark)}}}`,
  `@media print{:root{${variables(onPaper)}}}`,
  ...toneCss,
].join('')

/**
 * Latin before Chinese, or an apostrophe is as wide as a Chinese letter. Only what the machine has: a font from elsewhere would be a request to elsewhere.
 */
export const fontFamily =
  "'Inter', 'SF Pro Text', -apple-system, BlinkMacSystemFont, 'Segoe UI', 'Roboto', 'Helvetica Neue', 'Arial', 'Liberation Sans', 'DejaVu Sans', 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif"
