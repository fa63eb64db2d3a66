'use client'

import { useNow } from 'next-intl'
import { createContext, type ReactNode, use } from 'react'
import { dayOf } from '../format.ts'

const Ahead = createContext(0)

/** Tells everything below how far the clock of the business is ahead of the machine's; in production it is not. */
export const ClockProvider = ({ aheadMs, children }: { aheadMs: number; children: ReactNode }) => (
  <Ahead value={aheadMs}>{children}</Ahead>
)

/** Now, by the clock of the business, at the moment of drawing: for what is over or not yet. */
export const useClock = (): Date => new Date(Date.now() + use(Ahead))

/** The business day it is now. */
export const useToday = (): string => dayOf(useClock())

/** The same as a text that changes with time is drawn by: first as the server took it, then every so often. */
export function useShownNow(updateInterval: number): Date {
  const aheadMs = use(Ahead)
  return new Date(useNow({ updateInterval }).getTime() + aheadMs)
}
