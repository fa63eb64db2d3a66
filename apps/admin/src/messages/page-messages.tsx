import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { zhCN } from './zh-CN/index.ts'

export type Noun = keyof typeof zhCN

const everywhere = ['ui', 'shell', 'views'] as const satisfies readonly Noun[]

/** Sends the browser the texts of these nouns, and of what every list has, in the operator's language; no others. */
export async function PageMessages({
  nouns = [],
  children,
}: {
  nouns?: readonly Noun[]
  children: ReactNode
}) {
  const messages = await getMessages()
  const chosen = Object.fromEntries([...everywhere, ...nouns].map((noun) => [noun, messages[noun]]))
  return <NextIntlClientProvider messages={chosen}>{children}</NextIntlClientProvider>
}
