import { type Account, DAY_MS, type Entry, endOf, orderNamed, refundNamed } from './account.ts'
import type { Effect } from './effects.ts'

/** What a life may come to and hardly does by chance: counted, so that a test can ask whether it was there at all. */
export const situations = [
  'lapsed',
  'bought again after a lapse',
  'two stacked orders, both refunded',
  'a year and more',
  'a refund refused after a year',
] as const
export type Situation = (typeof situations)[number]

const isPurchase = ({ days }: Entry) => days > 0

/** Each purchase with the entry before it. */
const purchases = ({ ledger }: Account) =>
  ledger.flatMap((entry, place) => (isPurchase(entry) ? [{ entry, before: ledger[place - 1] }] : []))

function isRefundedWithDays(account: Account, orderNo: string): boolean {
  return account.ledger.some(
    (entry) => !isPurchase(entry) && refundNamed(account, entry.cause).orderNo === orderNo,
  )
}

const hasTwoStackedRefunded = (account: Account): boolean =>
  account.stretches.some((stretch, place) => {
    const next = account.stretches[place + 1]
    const bought = purchases(account).find(({ entry }) => entry.cause === next?.orderNo)
    const isStacked = bought?.before !== undefined && bought.before.endsAt > bought.entry.at
    return (
      next !== undefined &&
      isStacked &&
      isRefundedWithDays(account, stretch.orderNo) &&
      isRefundedWithDays(account, next.orderNo)
    )
  })

/** What a life has come to by now. */
export function situationsOf(account: Account, now: number): Situation[] {
  const again = purchases(account).some(({ entry, before }) => before && before.endsAt < entry.at)
  const first = account.ledger[0]?.at ?? now
  const reached: Partial<Record<Situation, boolean>> = {
    lapsed: again || (endOf(account) ?? now) < now,
    'bought again after a lapse': again,
    'two stacked orders, both refunded': hasTwoStackedRefunded(account),
    'a year and more': now - first >= 365 * DAY_MS,
  }
  return situations.filter((situation) => reached[situation])
}

/** Whether somebody asked in vain for money that was paid more than a year ago. */
export const isRefusedByAge = (account: Account, effect: Effect, now: number): boolean => {
  if (effect.is !== 'refused') return false
  const { paidAt } = orderNamed(account, effect.wish.orderNo)
  return paidAt !== null && now - paidAt >= 365 * DAY_MS
}
