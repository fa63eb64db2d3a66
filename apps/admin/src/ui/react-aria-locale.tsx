'use client'

import { useLocale } from 'next-intl'
import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'

/** React Aria names months, sorts and speaks in the language of the console, not of the browser. */
export function ReactAriaLocale({ children }: { children: ReactNode }) {
  const language = useLocale()
  return <I18nProvider locale={language === 'en' ? 'en-US' : 'zh-CN'}>{children}</I18nProvider>
}
