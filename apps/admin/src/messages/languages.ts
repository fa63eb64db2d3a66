export const languages = ['zh-CN', 'en'] as const
export type Language = (typeof languages)[number]

export const LANGUAGE_COOKIE = 'meridian.language'

/** Each language in its own words. */
export const languageNames: Record<Language, string> = { 'zh-CN': '中文', en: 'English' }

/** The operator's choice; else what the browser prefers; else Chinese. */
export function chooseLanguage(cookie: string | undefined, acceptLanguage: string | null): Language {
  const chosen = languages.find((language) => language === cookie)
  if (chosen) return chosen
  const preferred = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  const first = preferred.find((prefix) => prefix === 'zh' || prefix === 'en')
  return first === 'en' ? 'en' : 'zh-CN'
}
