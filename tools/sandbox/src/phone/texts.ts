import { en as careEn, zh as careZh } from './care-words.ts'
import { en as virtualEn, zh as virtualZh } from './virtual-words.ts'
import { en as shopEn, zh as shopZh } from './words.ts'

const zh = { ...shopZh, ...careZh, ...virtualZh }
const en = { ...shopEn, ...careEn, ...virtualEn }

/** Every text of the phone page. */
export type TextName = keyof typeof zh

export type Language = 'zh-CN' | 'en'

const stored = localStorage.getItem('language')
let current: Language = stored === 'en' || stored === 'zh-CN' ? stored : 'zh-CN'

export const language = (): Language => current

/** The same as the contract's words name it. */
export const reportLanguage = (): 'zh' | 'en' => (current === 'en' ? 'en' : 'zh')

export function text(name: TextName, values: Record<string, string | number> = {}): string {
  const sentence = current === 'en' ? en[name] : zh[name]
  return Object.entries(values).reduce(
    (result, [key, value]) => result.replace(`{${key}}`, `${value}`),
    sentence,
  )
}

export function switchLanguage(): void {
  current = current === 'en' ? 'zh-CN' : 'en'
  localStorage.setItem('language', current)
  translatePage()
}

export const isTextName = (name: string): name is TextName => Object.hasOwn(zh, name)

/** Fills in everything that is marked with `data-text` and `data-label`. */
export function translatePage(): void {
  document.documentElement.lang = current
  document.title = text('pageTitle')
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const name = element.getAttribute('data-text') ?? ''
    if (isTextName(name)) element.textContent = text(name)
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    const name = element.getAttribute('data-label') ?? ''
    if (isTextName(name)) element.setAttribute('aria-label', text(name))
  }
}

export const yuan = (fen: number): string =>
  new Intl.NumberFormat('zh-CN', { style: 'currency', currency: 'CNY' }).format(fen / 100)

export const day = (time: string): string =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium' }).format(new Date(time))

export const dayAndTime = (time: string): string =>
  new Intl.DateTimeFormat(current, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

export const clockTime = (time: string): string =>
  new Intl.DateTimeFormat('zh-CN', { timeStyle: 'short' }).format(new Date(time))
