'use client'

import { type AbstractIntlMessages, NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'

type Props = { messages: AbstractIntlMessages; children: ReactNode }

/** Texts beside those that are there already. */
export function MoreMessages({ messages, children }: Props) {
  const above = useMessages()
  const all = useMemo(() => ({ ...above, ...messages }), [above, messages])
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all}>
      {children}
    </NextIntlClientProvider>
  )
}
