import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import { MoreMessages } from './more-messages.tsx'
import type { zhCN } from './zh-CN/index.ts'

export type Noun = keyof typeof zhCN

const everywhere = ['ui', 'shell', 'views'] as const satisfies readonly Noun[]

type Given = { nouns: readonly Noun[]; children: ReactNode }

async function textsOf(nouns: readonly Noun[]) {
  const messages = await getMessages()
  return Object.fromEntries(nouns.map((noun) => [noun, messages[noun]]))
}

/** Sends the browser what every list has, and the texts of these nouns, in the operator's language; no others. */
export const FrameMessages = async ({ nouns, children }: Given) => (
  <NextIntlClientProvider messages={await textsOf([...everywhere, ...nouns])}>
    {children}
  </NextIntlClientProvider>
)

/** Adds the texts of these nouns to those that the frame of the page has brought. */
export const PageMessages = async ({ nouns, children }: Given) => (
  <MoreMessages messages={await textsOf(nouns)}>{children}</MoreMessages>
)
