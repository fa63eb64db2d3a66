import { numberWithin, type SearchHit } from '@meridian/contracts'
import { paths } from '../../paths.ts'
import type { IconName } from '../../ui/icon.tsx'

/**
 * The page of an order or refund number that is pasted whole, alone or within a message: it is opened without asking. The
 * number of a payment attempt looks like that of an order, and the order's page knows it too.
 */
export function pageOfNumber(text: string): string | null {
  const number = numberWithin(text).toUpperCase()
  if (/^M[0-9A-Z]{26}$/.test(number)) return paths.order({ outTradeNo: number })
  return /^R[0-9A-Z]{26}$/.test(number) ? paths.refund({ outRefundNo: number }) : null
}

/** Whether a text can be looked for: a name has two characters, most often. */
export const isSearchable = (text: string): boolean => text.trim().length >= 2

/** What a hit is called, where it leads, and how it looks. */
export function describeHit(hit: SearchHit): { id: string; href: string; icon: IconName } {
  switch (hit.kind) {
    case 'order':
      return { id: hit.outTradeNo, href: paths.order(hit), icon: 'receipt' }
    case 'refund':
      return { id: hit.outRefundNo, href: paths.refund(hit), icon: 'refund' }
    case 'user':
      return { id: hit.userId, href: paths.user({ id: hit.userId }), icon: 'users' }
    case 'device':
      return { id: hit.serialNumber, href: paths.device(hit), icon: 'monitor' }
  }
}

/** What the palette knows a hit by. */
export const itemValue = (hit: SearchHit): string => `${hit.kind} ${describeHit(hit).id}`

/** The one hit that was meant: the only one, or the one whose id was typed. */
export const exactHit = (hits: readonly SearchHit[], text: string): SearchHit | undefined =>
  hits.length === 1
    ? hits[0]
    : hits.find((hit) => describeHit(hit).id.toLowerCase() === numberWithin(text).toLowerCase())
