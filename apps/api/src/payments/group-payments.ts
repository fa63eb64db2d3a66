import type { PaymentChannel } from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { noteOrder } from '../platform/measures/order-measures.ts'
import { type AgreedPayment, asAgreed } from './agreed-payments.ts'
import { applyPayment } from './apply-payment.ts'
import type { Arrival, PaymentVerdict } from './decide-payment.ts'
import { payAgreed } from './pay-agreed.ts'
import { repeatAgreed } from './repeat-agreed.ts'

/** Hears the number of its order once what it waits for is committed; null where nothing was done with this payment. */
type Waiting = AgreedPayment & { settle: (outTradeNo: string | null) => void }

/** What handles a group: its payments are applied, or counted where they are repeats of what was applied here. */
const handlers = { pay: payAgreed, repeat: repeatAgreed } as const

/** Which payments may stand in one group. */
type Kind = { work: keyof typeof handlers; channel: PaymentChannel }

/** Payments of one kind over the connections of one pool: those that wait, and the numbers of each group under way. */
type Line = Kind & { waiting: Waiting[]; underWay: Set<ReadonlySet<string>> }

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

/** While one group waits for its commit the next is computed; a third gains only where commits are slow (docs/decisions/0013). */
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
  const lines = new WeakMap<Pool, Map<string, Line>>()
  const lineOf = (pool: Pool, { work, channel }: Kind): Line => {
    const known = lines.get(pool) ?? new Map<string, Line>()
    lines.set(pool, known)
    const name = `${work} ${channel}`
    const line = known.get(name) ?? { work, channel, waiting: [], underWay: new Set() }
    known.set(name, line)
    return line
  }

  async function handle(pool: Pool, { work, channel }: Kind, group: readonly Waiting[]): Promise<void> {
    const done = await handlers[work](pool, channel, group).catch((error: unknown) => {
      onFailure(error)
      return new Map<string, string>()
    })
    for (const told of group) told.settle(done.get(numberOf(told)) ?? null)
  }

  function start(pool: Pool, line: Line): void {
    if (size > 1 && line.underWay.size >= groupsAtOnce) return
    const group = takeGroup(line, size)
    if (group.length === 0) return
    const numbers = new Set(group.map(numberOf))
    line.underWay.add(numbers)
    void handle(pool, line, group).finally(() => {
      line.underWay.delete(numbers)
      start(pool, line)
    })
  }

  /** The number of the order that was paid, or whose repeat was counted, in a group; null where the payment goes alone. */
  function inGroup(pool: Pool, work: Kind['work'], agreed: AgreedPayment): Promise<string | null> {
    const line = lineOf(pool, { work, channel: agreed.payment.channel })
    if (line.waiting.length >= room) return Promise.resolve(null)
    return new Promise((settle) => {
      line.waiting.push({ ...agreed, settle })
      start(pool, line)
    })
  }

  return {
    apply: async (pool, payment, arrival) => {
      const work = paidHere.has(payment.outTradeNo) ? 'repeat' : 'pay'
      const agreed = work === 'pay' || arrival.delivery ? asAgreed(payment, arrival) : null
      const outTradeNo = agreed && (await inGroup(pool, work, agreed))
      if (outTradeNo === null) return applyPayment(pool, payment, arrival)
      paidHere.add(payment.outTradeNo)
      noteOrder(outTradeNo)
      return work === 'pay' ? 'applied' : 'already_paid'
    },
  }
}
