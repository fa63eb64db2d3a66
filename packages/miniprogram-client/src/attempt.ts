import { type Checked, flag, number, orNull, shape, text } from './check.ts'
import type { Phone } from './phone.ts'
import type { PlanChoice } from './plans.ts'
import { readStored } from './stored.ts'

const isAttempt = shape({
  planCode: text,
  amountFen: number,
  /** The Idempotency-Key of its purchase. */
  key: text,
  outTradeNo: orNull(text),
  /** Whether the payment sheet was opened and nobody knows yet what came of it. */
  unsettled: flag,
})
/** One wish to buy a plan, until it is paid: whatever happens in between, it is one order. */
export type Attempt = Checked<typeof isAttempt>

const storedAt = 'meridian.attempt'

/** Belongs to one user: nothing secret, it only must not repeat. */
const newKey = () =>
  [Date.now(), ...Array.from({ length: 2 }, () => Math.random() * 2 ** 52)]
    .map((number) => Math.floor(number).toString(36))
    .join('-')

export const isFor = ({ planCode, amountFen }: Attempt, { code, price_fen }: PlanChoice): boolean =>
  planCode === code && amountFen === price_fen

export type Attempts = ReturnType<typeof openAttempts>

export function openAttempts({ storage }: Phone) {
  const read = (): Attempt | null => readStored({ storage }, storedAt, isAttempt)
  const keep = (attempt: Attempt): Attempt => {
    storage.write(storedAt, JSON.stringify(attempt))
    return attempt
  }
  return {
    read,
    /** Adds to what is known of the attempt with this key; false where it gave way to another meanwhile. */
    note: (key: string, known: Partial<Attempt>): boolean => {
      const open = read()
      if (open?.key !== key) return false
      keep({ ...open, ...known })
      return true
    },
    /** Forgets the attempt of this order, and no other; whichever there is where none is named. */
    forget: (outTradeNo?: string) => {
      if (outTradeNo === undefined || read()?.outTradeNo === outTradeNo) storage.write(storedAt, null)
    },
    /** The attempt that is under way for this plan at this price, unless it is over, or a new one in its place. */
    begin: (plan: PlanChoice, over: string | null): Attempt => {
      const open = read()
      if (open && isFor(open, plan) && open.key !== over) return open
      const { code, price_fen } = plan
      return keep({ planCode: code, amountFen: price_fen, key: newKey(), outTradeNo: null, unsettled: false })
    },
  }
}
