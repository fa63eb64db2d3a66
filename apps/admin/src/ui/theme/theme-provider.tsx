'use client'

import { ConfigProvider } from 'antd'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from 'react'
import { keepPreference } from '../keep-preference.ts'
import { antdTheme } from './antd-theme.ts'
import { SCHEME_COOKIE, THEME_COOKIE, type ThemeChoice } from './choice.ts'
import type { Scheme } from './palette.ts'

type Theme = { choice: ThemeChoice; choose: (choice: ThemeChoice) => void }

const ThemeContext = createContext<Theme>({ choice: 'system', choose: () => {} })

export const useThemeChoice = (): Theme => use(ThemeContext)

type ThemeProviderProps = { choice: ThemeChoice; scheme: Scheme; language: string; children: ReactNode }

/** Colours of the whole console: what the server sent, then whatever the operator or the machine changes. */
export function ThemeProvider({
  choice: firstChoice,
  scheme: firstScheme,
  language,
  children,
}: ThemeProviderProps) {
  const [choice, setChoice] = useState(firstChoice)
  const [scheme, setScheme] = useState(firstScheme)

  useLayoutEffect(() => {
    const machine = matchMedia('(prefers-color-scheme: dark)')
    const settle = () => {
      const now = choice === 'system' ? (machine.matches ? 'dark' : 'light') : choice
      setScheme(now)
      keepPreference(SCHEME_COOKIE, now)
      document.documentElement.dataset['theme'] = choice
      document.documentElement.dataset['scheme'] = now
    }
    settle()
    machine.addEventListener('change', settle)
    return () => machine.removeEventListener('change', settle)
  }, [choice])

  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    if (dataset['scheme'] !== scheme) return
    // A frame later, so that the controls take their colours at once instead of fading into them.
    const frame = requestAnimationFrame(() => delete dataset['settling'])
    return () => cancelAnimationFrame(frame)
  }, [scheme])

  const theme = useMemo<Theme>(
    () => ({
      choice,
      choose: (next) => {
        keepPreference(THEME_COOKIE, next)
        setChoice(next)
      },
    }),
    [choice],
  )
  return (
    <ThemeContext value={theme}>
      <ConfigProvider
        theme={antdTheme(scheme)}
        locale={language === 'en' ? enUS : zhCN}
        button={{ autoInsertSpace: false }}
      >
        {children}
      </ConfigProvider>
    </ThemeContext>
  )
}
