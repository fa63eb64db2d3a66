import type { Order } from '@meridian/contracts'
import type { Phone } from '@meridian/miniprogram-client'

/** Where the client keeps the purchase that is under way: to carry on with an older order is to put its own back. */
const attemptAt = 'meridian.attempt'
const keysAt = 'order-keys'
const kept = 20

type Attempt = { outTradeNo: string | null; unsettled: boolean }
type Keys = Record<string, Attempt>

/**
 * Remembers with which Idempotency-Key this phone made each of its orders: the API carries on with an unpaid order,
 * under new payment params, for whoever buys the same plan with the same key.
 */
export function keepOrderKeys(phone: Phone) {
  const { storage } = phone
  const read = (): Keys => JSON.parse(storage.read(keysAt) ?? '{}')
  const note = (value: string | null) => {
    const attempt: Attempt | null = value === null ? null : JSON.parse(value)
    if (!attempt?.outTradeNo) return
    const known = Object.entries({ ...read(), [attempt.outTradeNo]: attempt }).slice(-kept)
    storage.write(keysAt, JSON.stringify(Object.fromEntries(known)))
  }
  const write = (key: string, value: string | null) => {
    if (key === attemptAt) note(value)
    storage.write(key, value)
  }
  const remembering: Phone = { ...phone, storage: { ...storage, write } }
  return {
    phone: remembering,
    /** Whether an unpaid order can be paid again from this phone. */
    knows: ({ out_trade_no }: Order): boolean => read()[out_trade_no] !== undefined,
    /** Makes an order the one that the next payment of its plan is for. */
    takeUp: ({ out_trade_no }: Order): void => {
      const attempt = read()[out_trade_no]
      if (attempt) storage.write(attemptAt, JSON.stringify({ ...attempt, unsettled: false }))
    },
  }
}
