import { WAITING_COUNT_LIMIT } from '@meridian/contracts'
import type { PageEntry } from './navigation.ts'

/** What waits on each page, as it is shown: `null` for nothing, `99+` beyond the limit. */
type Counts = Readonly<Record<string, string | null>>

/** What waits on a page; nothing on one of which nothing is counted. */
export const countOf = (key: PageEntry['key'], waiting: Counts): string | null => waiting[key] ?? null

/** What waits on the pages of a group together, shown as the count of one page is. */
export function groupCount(pages: readonly PageEntry[], waiting: Counts): string | null {
  const counts = pages.flatMap(({ key }) => countOf(key, waiting) ?? [])
  const sum = counts.reduce((total, count) => total + Number.parseInt(count, 10), 0)
  if (sum === 0) return null
  const isBeyond = sum > WAITING_COUNT_LIMIT || counts.some((count) => count.endsWith('+'))
  return isBeyond ? `${WAITING_COUNT_LIMIT}+` : String(sum)
}
