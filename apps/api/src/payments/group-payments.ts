import type { PaymentChannel } from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { noteOrder } from '../platform/measures/order-measures.ts'
import { applyPayment } from './apply-payment.ts'
import type { Arrival, PaymentVerdict } from './decide-payment.ts'
import { type AgreedPayment, asAgreed, payAgreed } from './pay-agreed.ts'

/** Hears the number of its order once that is paid and committed; null where this payment was not applied. */
type Waiting = AgreedPayment & { settle: (outTradeNo: string | null) => void }

/** Payments of one channel over the connections of one pool: those that wait, and the numbers of each group under way. */
type Line = { waiting: Waiting[]; underWay: Set<ReadonlySet<string>> }

export type PaymentGroups = {
  /**
   * Applies a confirmed payment, with those that arrive while others are being committed. Answers what became of this one
   * once that is committed.
   */
  apply: (pool: Pool, payment: ConfirmedPayment, arrival: Arrival) => Promise<PaymentVerdict>
}

const numberOf = ({ payment }: Waiting): string => payment.outTradeNo

/** Takes the next group out of the line. Payments told under one number come one after the other, in the order they came. */
function takeGroup({ waiting, underWay }: Line, size: number): Waiting[] {
  const taken = new Set([...underWay].flatMap((numbers) => [...numbers]))
  const group: Waiting[] = []
  const later: Waiting[] = []
  for (const told of waiting.splice(0)) {
    const isNext = group.length < size && !taken.has(numberOf(told))
    ;(isNext ? group : later).push(told)
    taken.add(numberOf(told))
  }
  waiting.push(...later)
  return group
}

/** What was applied here is repeated here first, and a repeat pays nothing: so many of the last ones are known. */
const knownPaid = 10_000

function openMemory() {
  const numbers = new Set<string>()
  return {
    has: (number: string) => numbers.has(number),
    add: (number: string) => {
      numbers.add(number)
      const [oldest] = numbers
      if (numbers.size > knownPaid && oldest !== undefined) numbers.delete(oldest)
    },
  }
}

/**
 * So many may wait in a line: a database that hangs must not fill the memory with what the platform repeats anyway. Who
 * comes later takes the road of a payment alone, on which nobody waits for a connection for long.
 */
const mostWaiting = 1000

/** While one group waits for its commit the next is computed; more of them gain nothing (docs/decisions/0013). */
const groupsAtOnce = 2

type Grouping = {
  size: number
  /** Hears of a group that failed as a whole. */
  onFailure: (error: unknown) => void
  /** How many payments may wait in a line. */
  room?: number
}

/**
 * Applies payments in groups of up to `size`, each with one statement and one commit. A group is whatever arrived while
 * the groups before it were under way, so that a payment that comes alone waits for nobody. A size of 1 groups nothing.
 */
export function openPaymentGroups({ size, onFailure, room = mostWaiting }: Grouping): PaymentGroups {
  const paidHere = openMemory()
  const lines = new WeakMap<Pool, Record<PaymentChannel, Line>>()
  const lineOf = (pool: Pool, channel: PaymentChannel): Line => {
    const known = lines.get(pool) ?? {
      jsapi: { waiting: [], underWay: new Set() },
      virtual: { waiting: [], underWay: new Set() },
    }
    lines.set(pool, known)
    return known[channel]
  }

  async function payGroup(pool: Pool, channel: PaymentChannel, group: readonly Waiting[]): Promise<void> {
    const applied = await payAgreed(pool, channel, group).catch((error: unknown) => {
      onFailure(error)
      return new Map<string, string>()
    })
    for (const told of group) told.settle(applied.get(numberOf(told)) ?? null)
  }

  function start(pool: Pool, channel: PaymentChannel): void {
    const line = lineOf(pool, channel)
    if (size > 1 && line.underWay.size >= groupsAtOnce) return
    const group = takeGroup(line, size)
    if (group.length === 0) return
    const numbers = new Set(group.map(numberOf))
    line.underWay.add(numbers)
    void payGroup(pool, channel, group).finally(() => {
      line.underWay.delete(numbers)
      start(pool, channel)
    })
  }

  /** The number of the order that this payment paid in a group; null where it is to be applied alone. */
  async function payTogether(
    pool: Pool,
    payment: ConfirmedPayment,
    arrival: Arrival,
  ): Promise<string | null> {
    const { waiting } = lineOf(pool, payment.channel)
    const agreed = asAgreed(payment, arrival)
    if (!agreed || paidHere.has(payment.outTradeNo) || waiting.length >= room) return null
    return new Promise((settle) => {
      waiting.push({ ...agreed, settle })
      start(pool, payment.channel)
    })
  }

  return {
    apply: async (pool, payment, arrival) => {
      const outTradeNo = await payTogether(pool, payment, arrival)
      if (outTradeNo === null) return applyPayment(pool, payment, arrival)
      paidHere.add(payment.outTradeNo)
      noteOrder(outTradeNo)
      return 'applied'
    },
  }
}
