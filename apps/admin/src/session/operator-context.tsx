'use client'

import type { ConsoleContext } from '@meridian/contracts'
import { createContext, type ReactNode, use } from 'react'
import { ClockProvider } from '../ui/clock.tsx'
import { TableOwner } from '../ui/data-table/use-table-layout.ts'

const Context = createContext<ConsoleContext | null>(null)

export function OperatorProvider({ value, children }: { value: ConsoleContext; children: ReactNode }) {
  return (
    <Context value={value}>
      <ClockProvider aheadMs={value.clockAheadMs}>
        <TableOwner value={value.operator.id}>{children}</TableOwner>
      </ClockProvider>
    </Context>
  )
}

/** Who is signed in, and to what kind of payment platform. Only below the console's layout. */
export function useConsole(): ConsoleContext {
  const value = use(Context)
  if (!value) throw new Error('useConsole was called outside the console')
  return value
}
