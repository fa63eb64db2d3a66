import { type JsapiPaymentParams, Purchase, type VirtualPaymentParams } from '@meridian/contracts'
import { numberIn } from '../world/virtual-shop.ts'
import { isPaid, isUnpaid, type Order } from './account.ts'
import { Disagreement, type Effect } from './effects.ts'
import { closing, following, isPaidThere, platformOrder, sheetThere } from './platform-truth.ts'
import type { Step } from './steps.ts'
import {
  attemptsOf,
  type Call,
  choose,
  type Outcome,
  outcomeOf,
  throughNetwork,
  type Visit,
} from './visit.ts'

export type Buy = Extract<Step, { step: 'buy' }>

/** The same purchase once more, where it is to go on with an order that waits. */
export function repeated({ account }: Visit, step: Buy): Buy {
  if (step.again === null) return step
  const waiting = account.orders.filter((order) => isUnpaid(order) && order.key !== null)
  const order = choose(waiting, step.again)
  return order ? { ...step, plan: order.plan, key: order.key } : step
}

const tapMs = 10_000
/** What is neither clearly within the ten seconds nor clearly after them is waited out: no busy machine may decide it. */
const clearlyYoungMs = 1_000

const isOverdue = ({ shop }: Visit, order: Order) => isUnpaid(order) && order.expiresAt <= shop.now()

/** The orders that a purchase without a key may go on with, oldest first. */
const tappedOrders = ({ account, shop }: Visit, { plan, system }: Buy): Order[] =>
  account.orders.filter(
    (order) =>
      isUnpaid(order) &&
      order.plan === plan &&
      order.channel === account.sale[system] &&
      shop.now() - order.createdAt < tapMs,
  )

/** The order that a purchase goes on with. */
const knownOrder = (visit: Visit, step: Buy): Order | undefined =>
  step.key === null
    ? tappedOrders(visit, step).at(-1)
    : visit.account.orders.find((order) => order.key === step.key)

/** The newest attempt of an order, where its answer may be given once more: within ten seconds, and unopened. */
function keptAttempt(visit: Visit, { no }: Order) {
  const last = attemptsOf(visit, no).at(-1)
  const isYoung = last && visit.shop.now() - last.signedAt < tapMs
  return last?.isKept && isYoung && !sheetThere(visit, last.number) ? last : undefined
}

/** Whether the clock has yet to decide what a purchase goes on with. */
export function isUndecided(visit: Visit, step: Buy): boolean {
  const known = knownOrder(visit, step)
  if (!known) return false
  const signedAt = known.channel === 'virtual' ? keptAttempt(visit, known)?.signedAt : undefined
  const instants = [...(step.key === null ? [known.createdAt] : []), signedAt ?? Infinity]
  return instants.some((at) => visit.shop.now() - at > clearlyYoungMs)
}
export const untilDecidedMs = tapMs

/** What becomes of a purchase: what it is answered, and what it does. */
type Course = { answer: string; effects: (certain: boolean) => Effect[] }

const refused = (answer: string): Course => ({ answer, effects: () => [] })

/** An order whose time has run out, or that is on another channel than today's: asked about, then closed. */
const ending = (visit: Visit, { no }: Order): Course => ({
  answer: isPaidThere(visit, no) ? 'order_already_paid' : 'order_closed',
  effects: (certain) => closing(visit, no, certain),
})

/** A repeat of virtual payment: the kept answer, or another number once the platform says that none is paid. */
function signingAgain(visit: Visit, order: Order): Course {
  const { no } = order
  const prepared = (certain: boolean): Effect[] => [{ is: 'prepared', certain, no }]
  if (keptAttempt(visit, order)) return { answer: 'done', effects: prepared }
  return isPaidThere(visit, no)
    ? { answer: 'order_already_paid', effects: (certain) => following(visit, no, certain) }
    : { answer: 'done', effects: prepared }
}

function courseOf(visit: Visit, step: Buy, known: Order | undefined): Course {
  const { plan, key, system } = step
  const channel = visit.account.sale[system]
  if (!known)
    return {
      answer: 'done',
      effects: (certain) => [
        { is: 'opened', certain, plan, channel, key },
        { is: 'prepared', certain, no: null },
      ],
    }
  if (known.plan !== plan) return refused('idempotency_key_reused')
  if (isPaid(known)) return refused('order_already_paid')
  if (known.status === 'closed') return refused('order_closed')
  if (known.channel !== channel || isOverdue(visit, known)) return ending(visit, known)
  if (channel === 'virtual') return signingAgain(visit, known)
  return { answer: 'done', effects: (certain) => [{ is: 'prepared', certain, no: known.no }] }
}

/** Of two taps at once the later one finds the order before, where the earlier one has ended the newest. */
const laterCourses = (visit: Visit, step: Buy): Course[] =>
  step.key === null && step.copies > 1
    ? tappedOrders(visit, step)
        .slice(0, -1)
        .map((order) => courseOf(visit, step, order))
    : []

const isVirtual = (params: JsapiPaymentParams | VirtualPaymentParams): params is VirtualPaymentParams =>
  'signData' in params

/** Keeps what a phone was given to open a sheet with. */
function keepSheet(visit: Visit, { order, payment_params: params }: Purchase, { system }: Buy): void {
  if (!isVirtual(params)) return
  const number = numberIn({ payment_params: params })
  if (!visit.sheets.some((sheet) => sheet.number === number))
    visit.sheets.push({ number, orderNo: order.out_trade_no, params, system })
}

export function buying(visit: Visit, step: Buy): Call {
  const { plan, key, on, copies, system } = step
  const known = knownOrder(visit, step)
  const course = courseOf(visit, step, known)
  const later = laterCourses(visit, step)
  // A prepay that the platform has already answered, or an order it has already ended, is refused there.
  const mayBeRefused = known?.status === 'created' && platformOrder(visit, known.no) !== undefined
  const numbers = new Set<string>()
  const once = async (copy: number): Promise<Outcome> => {
    const phone = visit.phones[(copy + on) % 2 === 0 ? 0 : 1]
    const answer = await phone.virtualAnswer({ planCode: plan, system, ...(key !== null && { key }) })
    if (answer.status < 300) {
      const purchase = Purchase.parse(answer.body)
      numbers.add(purchase.order.out_trade_no)
      keepSheet(visit, purchase, step)
    }
    return outcomeOf(answer)
  }
  return {
    name: `buy ${plan} ${key ?? ''}`,
    make: async () => {
      const outcomes = await Promise.all(
        Array.from({ length: copies }, (_, copy) => throughNetwork(once(copy))),
      )
      const good = outcomes.find(({ failed }) => !failed)
      const isRefused = outcomes.some(({ answer }) => answer.startsWith('payment_platform'))
      return good ?? { answer: 'failed', failed: !(isRefused && mayBeRefused) }
    },
    effects: ({ failed, answer }) => {
      if (numbers.size > 1) throw new Disagreement(`two taps made ${numbers.size} orders`)
      const isRefused = answer === 'failed'
      const isForeseen = [course, ...later].some((one) => one.answer === answer)
      if (!failed && !isRefused && !isForeseen)
        throw new Disagreement(`buying was answered ${answer}, not ${course.answer}`)
      return [...course.effects(!failed && !isRefused), ...later.flatMap(({ effects }) => effects(false))]
    },
  }
}
