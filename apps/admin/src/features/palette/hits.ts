import type { SearchHit } from '@meridian/contracts'
import { paths } from '../../paths.ts'
import type { IconName } from '../../ui/icon.tsx'

/** An order number pasted whole: it is opened without asking. */
export const isOrderNumber = (text: string): boolean => /^M[0-9A-Z]{26}$/i.test(text.trim())

/** Whether a text can be an id at all. */
export const isSearchable = (text: string): boolean => text.trim().length >= 4

/** What a hit is called, where it leads, and how it looks. */
export function describeHit(hit: SearchHit): { id: string; href: string; icon: IconName } {
  if (hit.kind === 'order') return { id: hit.outTradeNo, href: paths.order(hit), icon: 'receipt' }
  if (hit.kind === 'user') return { id: hit.userId, href: paths.user({ id: hit.userId }), icon: 'users' }
  return { id: hit.serialNumber, href: paths.device(hit), icon: 'monitor' }
}

/** What the palette knows a hit by. */
export const itemValue = (hit: SearchHit): string => `${hit.kind} ${describeHit(hit).id}`

/** The one hit that was meant: the only one, or the one whose id was typed. */
export const exactHit = (hits: readonly SearchHit[], text: string): SearchHit | undefined =>
  hits.length === 1
    ? hits[0]
    : hits.find((hit) => describeHit(hit).id.toLowerCase() === text.trim().toLowerCase())
