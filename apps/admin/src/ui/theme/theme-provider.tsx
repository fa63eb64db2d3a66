'use client'

import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from 'react'
import { keepPreference } from '../../cookies.ts'
import { SCHEME_COOKIE, THEME_COOKIE, type ThemeChoice } from './appearance.ts'

type Theme = { choice: ThemeChoice; choose: (choice: ThemeChoice) => void }

const ThemeContext = createContext<Theme>({ choice: 'system', choose: () => {} })

export const useThemeChoice = (): Theme => use(ThemeContext)

/** Colours of the whole console: what the server sent, then whatever the operator or the machine changes. */
export function ThemeProvider({ choice: sent, children }: { choice: ThemeChoice; children: ReactNode }) {
  const [choice, setChoice] = useState(sent)

  useLayoutEffect(() => {
    const machine = matchMedia('(prefers-color-scheme: dark)')
    const settle = () => {
      const scheme = choice === 'system' ? (machine.matches ? 'dark' : 'light') : choice
      keepPreference(SCHEME_COOKIE, scheme)
      document.documentElement.dataset['theme'] = choice
      document.documentElement.dataset['scheme'] = scheme
    }
    settle()
    machine.addEventListener('change', settle)
    return () => machine.removeEventListener('change', settle)
  }, [choice])

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
  return <ThemeContext value={theme}>{children}</ThemeContext>
}
