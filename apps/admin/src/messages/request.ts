import { headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { TIME_ZONE } from '../format.ts'
import { preference } from '../session/read-cookies.ts'
import { en } from './en/index.ts'
import { chooseLanguage, LANGUAGE_COOKIE, type Language } from './languages.ts'
import { zhCN } from './zh-CN/index.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: Language
    Messages: typeof zhCN
  }
}

const messages = { 'zh-CN': zhCN, en }

export default getRequestConfig(async () => {
  const [language, incoming] = await Promise.all([preference(LANGUAGE_COOKIE), headers()])
  const locale = chooseLanguage(language, incoming.get('accept-language'))
  return {
    locale, // The types know the Chinese texts; the others have the same keys by type and the same arguments by test.
    messages: messages[locale] as typeof zhCN,
    timeZone: TIME_ZONE,
    now: new Date(),
  }
})
