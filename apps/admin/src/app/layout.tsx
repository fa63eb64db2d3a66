import './globals.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import { getLocale, getTranslations } from 'next-intl/server'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import { preference } from '../session/read-cookies.ts'
import { Announcer } from '../ui/announcer.tsx'
import { arrangeScript } from '../ui/data-table/arrange-script.ts'
import {
  fontFamily,
  paletteCss,
  readChoice,
  SCHEME_COOKIE,
  schemeFor,
  settleScript,
  THEME_COOKIE,
} from '../ui/theme/appearance.ts'
import { tagCss } from '../ui/theme/tag-colors.ts'
import { ThemeProvider } from '../ui/theme/theme-provider.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  const template = t('titleTemplate', { page: '%s' })
  return { title: { template, default: t('product') }, robots: { index: false, follow: false } }
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1 }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [language, incoming] = await Promise.all([getLocale(), headers()])
  const choice = readChoice(await preference(THEME_COOKIE))
  const scheme = schemeFor(choice, await preference(SCHEME_COOKIE))
  const nonce = /'nonce-([^']+)'/.exec(incoming.get('content-security-policy') ?? '')?.[1]
  return (
    <html lang={language} data-theme={choice} data-scheme={scheme} suppressHydrationWarning>
      <head>
        <style>{`${paletteCss}${tagCss}:root{--font:${fontFamily}}`}</style>
        <script nonce={nonce} suppressHydrationWarning>
          {settleScript + arrangeScript}
        </script>
      </head>
      <body>
        <NuqsAdapter>
          <ThemeProvider choice={choice}>
            <Announcer>{children}</Announcer>
          </ThemeProvider>
        </NuqsAdapter>
      </body>
    </html>
  )
}
