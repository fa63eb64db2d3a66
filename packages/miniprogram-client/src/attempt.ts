import type { Phone } from './phone.ts'
import type { PlanChoice } from './plans.ts'

/** One wish to buy a plan, until it is paid: whatever happens in between, it is one order. */
export type Attempt = {
  planCode: string
  amountFen: number
  /** The Idempotency-Key of its purchase. */
  key: string
  outTradeNo: string | null
  /** Whether the payment sheet was opened and nobody knows yet what came of it. */
  unsettled: boolean
}

const storedAt = 'meridian.attempt'

/** Belongs to one user: nothing secret, it only must not repeat. */
const newKey = () =>
  [Date.now(), ...Array.from({ length: 2 }, () => Math.random() * 2 ** 52)]
    .map((number) => Math.floor(number).toString(36))
    .join('-')

export function openAttempts({ storage }: Phone) {
  const read = (): Attempt | null => JSON.parse(storage.read(storedAt) ?? 'null')
  const keep = (attempt: Attempt): Attempt => {
    storage.write(storedAt, JSON.stringify(attempt))
    return attempt
  }
  return {
    read,
    keep,
    forget: () => storage.write(storedAt, null),
    /** The attempt that is under way for this plan at this price, or a new one. */
    begin: ({ code, price_fen }: PlanChoice): Attempt => {
      const open = read()
      if (open?.planCode === code && open.amountFen === price_fen) return open
      return keep({ planCode: code, amountFen: price_fen, key: newKey(), outTradeNo: null, unsettled: false })
    },
  }
}
