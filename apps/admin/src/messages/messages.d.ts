import type { Language } from './languages.ts'
import type { zhCN } from './zh-CN/index.ts'

declare module 'next-intl' {
  interface AppConfig {
    Locale: Language
    Messages: typeof zhCN
  }
}
