import type { LedgerEntry } from '@meridian/contracts'

type Entry = Pick<LedgerEntry, 'kind' | 'days' | 'outTradeNo'>

/**
 * Of each entry's days, how many still lie ahead (SPEC: grants are consumed in the order they were written, so what
 * is left belongs to the last ones). What a refund took back counts against its own order's entry; days taken by hand
 * come off the whole.
 * @param entries in the order they were written
 */
export function shareUnusedDays(entries: readonly Entry[], remainingDays: number): number[] {
  const takenOf = (outTradeNo: string | null) =>
    entries
      .filter((entry) => entry.kind === 'refund_revocation' && entry.outTradeNo === outTradeNo)
      .reduce((sum, { days }) => sum - days, 0)
  let left = remainingDays
  return entries
    .map((entry) => entry.days - (entry.kind === 'purchase' ? takenOf(entry.outTradeNo) : 0))
    .toReversed()
    .map((own) => {
      const unused = Math.max(0, Math.min(own, left))
      left -= unused
      return unused
    })
    .toReversed()
}
