import { isDeepStrictEqual } from 'node:util'
import {
  type Account,
  type Channel,
  closed,
  opened,
  type Payment,
  type PlanCode,
  prepared,
  type RefundStatus,
  type Told,
  TTL_MS,
} from './account.ts'
import { foretold, type Observed, seen } from './observe.ts'
import { activated, type LateDecision, lateDecided, paid } from './payment-rules.ts'
import { decided, type Moment, requested, settled, told, type Wish } from './refund-rules.ts'

/** What a step must have done, or, where it was cut off half-way, may have done. */
export type Effect = { certain: boolean } & (
  | { is: 'opened'; plan: PlanCode; channel: Channel; key: string | null }
  /** Of the order just opened where `no` is null. */
  | { is: 'prepared'; no: string | null }
  | { is: 'closed'; no: string }
  /** `asked`: found by who asks only while the order is unpaid, and does not where a message came first. */
  | { is: 'paid'; no: string; payment: Payment; asked?: boolean }
  | { is: 'told'; told: Told }
  | { is: 'requested'; wish: Wish }
  /** Somebody asked for it in vain. */
  | { is: 'refused'; wish: Wish }
  | { is: 'decided'; no: string; approve: boolean }
  | { is: 'lateDecided'; no: string; decision: LateDecision; by: string }
  | { is: 'activated'; no: string }
  | { is: 'settled'; no: string; to: RefundStatus }
)

/** When a step began and ended. */
export type Window = { from: number; to: number }

export class Disagreement extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Disagreement'
  }
}

type Scene = { observed: Observed; window: Window }

type NewOrder = { plan: PlanCode; channel: Channel; key: string | null }

const newOrderIn = (account: Account, { observed }: Scene, { plan, channel, key }: NewOrder) =>
  observed.orders.find(
    (order) =>
      order.plan === plan &&
      order.channel === channel &&
      order.key === key &&
      !account.orders.some((known) => known.no === order.no),
  )

const newRefundsIn = (account: Account, { observed }: Scene, wanted: Wish) =>
  observed.refunds.filter(
    (refund) =>
      refund.told === null &&
      refund.orderNo === wanted.orderNo &&
      refund.second === wanted.second &&
      refund.amountFen === wanted.amountFen &&
      refund.keepDays === wanted.keepDays &&
      refund.requestedBy === wanted.requestedBy &&
      !account.refunds.some((known) => known.no === refund.no),
  )
const newRefundIn = (account: Account, scene: Scene, wanted: Wish) => newRefundsIn(account, scene, wanted)[0]

/** Of equal requests as many happened as there are new refunds: those that were answered, and then who may have been. */
function withoutSpareRequests(account: Account, effects: readonly Effect[], scene: Scene): Effect[] {
  return effects.filter((effect, index) => {
    if (effect.certain || effect.is !== 'requested') return true
    const before = effects.filter(
      (one, at) =>
        one.is === 'requested' && (one.certain || at < index) && isDeepStrictEqual(one.wish, effect.wish),
    )
    return before.length < newRefundsIn(account, scene, effect.wish).length
  })
}

/** The new refund that gives a late payment back. */
const refundBack = (account: Account, { observed }: Scene, orderNo: string) =>
  observed.refunds.find(
    (one) =>
      one.orderNo === orderNo && one.givesBack && !account.refunds.some((known) => known.no === one.no),
  )

type PaidEffect = Extract<Effect, { is: 'paid' }>

/** Whether the database has this payment as the one that paid the order, or as one beside it. */
const isPaidBy = ({ observed }: Scene, { no, payment }: PaidEffect) =>
  observed.orders.some((order) => order.no === no && order.paymentNo === payment.paymentNo)
const isKeptBeside = ({ observed }: Scene, { payment }: PaidEffect) =>
  observed.seconds.some(({ paymentNo }) => paymentNo === payment.paymentNo)

/** Whether the database shows that something happened which may or may not have. */
function isShown(account: Account, scene: Scene, effect: Effect): boolean {
  const { orders, refunds } = scene.observed
  const order = (no: string) => orders.find((one) => one.no === no)
  const refund = (no: string) => refunds.find((one) => one.no === no)
  switch (effect.is) {
    case 'opened':
      return newOrderIn(account, scene, effect) !== undefined
    case 'prepared':
      return (effect.no === null ? orders.at(-1) : order(effect.no))?.status === 'prepay'
    case 'closed':
      return order(effect.no)?.status === 'closed'
    case 'paid':
      return isPaidBy(scene, effect) || isKeptBeside(scene, effect)
    case 'told':
      return scene.observed.told.some(({ id }) => id === effect.told.id)
    case 'requested':
      return newRefundIn(account, scene, effect.wish) !== undefined
    case 'refused':
      return false
    case 'decided':
      return refund(effect.no)?.status === (effect.approve ? 'approved' : 'rejected')
    case 'lateDecided':
      return effect.decision === 'refund'
        ? refundBack(account, scene, effect.no) !== undefined
        : scene.observed.ledger.some(({ cause }) => cause === effect.no)
    case 'activated':
      return scene.observed.ledger.some(({ cause }) => cause === effect.no)
    case 'settled':
      return refund(effect.no)?.status === effect.to
  }
}

/** When the ledger says that this cause wrote its entry; an entry that is new must be of this step. */
function instantOf(account: Account, cause: string, { observed, window }: Scene): number {
  const entry = observed.ledger.find((one) => one.cause === cause)
  if (!entry || account.ledger.some((known) => known.cause === cause)) return window.to
  const clocksDiffer = 50
  if (entry.at < window.from - clocksDiffer || entry.at > window.to + clocksDiffer)
    throw new Disagreement(`the entry of ${cause} is of another time`)
  return entry.at
}

/** What the rules cannot know of a step, and the database does. */
const momentOf = (account: Account, scene: Scene): Moment => ({
  at: (cause) => instantOf(account, cause, scene),
  numberOf: (toldId) => scene.observed.refunds.find((one) => one.told === toldId)?.no ?? 'missing',
})

function open(account: Account, scene: Scene, effect: NewOrder): Account {
  const found = newOrderIn(account, scene, effect)
  if (!found) throw new Disagreement(`no order of ${effect.plan} was stored`)
  // The end is a whole second; when it was made is rounded to a millisecond.
  const second = found.createdAt + TTL_MS - found.expiresAt
  if (second < 0 || second > 1000) throw new Disagreement(`order ${found.no} does not expire when it should`)
  const { no, createdAt, expiresAt } = found
  return opened(account, {
    ...effect,
    no,
    status: 'created',
    createdAt,
    expiresAt,
    paidAt: null,
    paymentNo: null,
    byApple: false,
    refundedFen: 0,
    late: false,
    parkedFor: null,
  })
}

function applyEffect(account: Account, scene: Scene, effect: Effect): Account {
  switch (effect.is) {
    case 'opened':
      return open(account, scene, { plan: effect.plan, channel: effect.channel, key: effect.key })
    case 'prepared':
      return prepared(account, effect.no ?? account.orders.at(-1)?.no ?? '')
    case 'closed':
      return closed(account, effect.no)
    case 'paid': {
      const { no, payment } = effect
      const refundNo = refundBack(account, scene, no)?.no ?? 'missing'
      return paid(account, no, { payment, refundNo, moment: momentOf(account, scene) })
    }
    case 'told':
      return told(account, effect.told, momentOf(account, scene))
    case 'requested': {
      const { wish } = effect
      const no = newRefundIn(account, scene, wish)?.no ?? 'missing'
      const next = requested(account, no, { wish, now: scene.window.from })
      if (!next) throw new Disagreement(`a refund of ${wish.orderNo} was taken against the rules`)
      return next
    }
    case 'refused':
      return account
    case 'decided':
      return decided(account, effect.no, effect.approve)
    case 'lateDecided': {
      const { no, decision, by } = effect
      const refundNo = refundBack(account, scene, no)?.no ?? 'missing'
      return lateDecided(account, no, { decision, at: instantOf(account, no, scene), refundNo, by })
    }
    case 'activated':
      return activated(account, effect.no, instantOf(account, effect.no, scene))
    case 'settled':
      return settled(account, effect.no, { to: effect.to, at: instantOf(account, effect.no, scene) })
  }
}

function causeOf(effect: Effect, { observed }: Scene): string | null {
  if (effect.is === 'told') return observed.refunds.find((one) => one.told === effect.told.id)?.no ?? null
  const isCause = ['paid', 'settled', 'lateDecided', 'activated'].includes(effect.is)
  return isCause && 'no' in effect ? effect.no : null
}

/**
 * What happened at once happened in some order: the ledger's where it wrote there. A refund that took no days wrote
 * nothing there; it comes where the timeline of its order has it. Of two requests, the one that needs no second person
 * was first: the sum that the rule is about only grows; of two that need one, the one that was stored first.
 */
function inOrder(account: Account, effects: readonly Effect[], scene: Scene): Effect[] {
  const { observed } = scene
  const waits = (effect: Effect) =>
    effect.is === 'requested' && newRefundIn(account, scene, effect.wish)?.status === 'requested'
  const storedAt = (effect: Effect) =>
    effect.is === 'requested'
      ? observed.refunds.findIndex(({ no }) => no === newRefundIn(account, scene, effect.wish)?.no)
      : -1
  const place = (effect: Effect) => observed.ledger.findIndex(({ cause }) => cause === causeOf(effect, scene))
  const success = (effect: Effect) =>
    effect.is === 'settled' && effect.to === 'succeeded'
      ? observed.refunds.find(({ no }) => no === effect.no)
      : undefined
  const silent = effects
    .filter((effect) => place(effect) < 0 && !success(effect))
    .sort((one, other) =>
      waits(one) && waits(other)
        ? storedAt(one) - storedAt(other)
        : Number(waits(one)) - Number(waits(other)),
    )
  const ordered = effects
    .filter((effect) => place(effect) >= 0)
    .sort((one, other) => place(one) - place(other))
  for (const effect of effects) {
    const mine = success(effect)
    if (!mine || place(effect) >= 0) continue
    const before = ordered.findIndex((one) => {
      const theirs = success(one)
      return theirs?.orderNo === mine.orderNo && (theirs.succeeded ?? 0) > (mine.succeeded ?? 0)
    })
    ordered.splice(before < 0 ? ordered.length : before, 0, effect)
  }
  return [...silent, ...ordered]
}

const first = (effects: readonly Effect[], isFirst: (effect: Effect) => boolean): Effect[] => [
  ...effects.filter(isFirst),
  ...effects.filter((effect) => !isFirst(effect)),
]

/**
 * The accounts that a step may have led to. A refund that ended unpaid gives its sum free: a request of the same moment
 * was taken before that, or because of it. And whether a refund of somebody else was told before its payment was found
 * says whether that had to be parked. Throws the Disagreement of the first order where none fits the rules.
 */
function outcomesOf(account: Account, happened: readonly Effect[], scene: Scene): Account[] {
  const inTurn = inOrder(account, happened, scene)
  const orders = [
    inTurn,
    first(inTurn, (effect) => effect.is === 'settled' && effect.to === 'closed'),
    first(inTurn, ({ is }) => is === 'told'),
    first(inTurn, ({ is }) => is !== 'told'),
  ]
  const disagreements: Disagreement[] = []
  const outcomes = orders.flatMap((effects) => {
    try {
      return [effects.reduce((now, effect) => applyEffect(now, scene, effect), account)]
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error
      disagreements.push(error)
      return []
    }
  })
  if (outcomes.length === 0) throw disagreements[0]
  return outcomes
}

/**
 * Of the payments of one order the one that the database took was first; of what told of it, what told it as it is there:
 * at that time, and, of two that tell the same time, whether it had gone back. That parks no order whose refund was told.
 */
function rankOf(scene: Scene, effect: Effect): number {
  if (effect.is !== 'paid') return 0
  if (!isPaidBy(scene, effect)) return 3
  const { paidAt, elsewhere } = effect.payment
  const order = scene.observed.orders.find(({ no }) => no === effect.no)
  if (order?.paidAt !== paidAt) return 2
  return (order.parkedFor === 'refunded_elsewhere') === elsewhere ? 0 : 1
}

/** Whether a refund was refused although the rules allow it, before the step and after it. */
function requireRefusals(accounts: readonly Account[], happened: readonly Effect[], now: number): void {
  for (const effect of happened) {
    if (effect.is !== 'refused') continue
    const { wish } = effect
    if (accounts.every((then) => requested(then, '', { wish, now })))
      throw new Disagreement(`a refund of ${wish.orderNo} was refused against the rules`)
  }
}

/** The account after a step, as the rules foretell it. Throws Disagreement where the database holds anything else. */
export function follow(account: Account, effects: readonly Effect[], scene: Scene): Account {
  const isOvertaken = (effect: Effect) =>
    effect.is === 'paid' &&
    effect.asked === true &&
    effects.some((one) => one.is === 'paid' && !one.asked && one.no === effect.no)
  const shown = effects.filter(
    (effect) => (effect.certain && !isOvertaken(effect)) || isShown(account, scene, effect),
  )
  const happened = withoutSpareRequests(account, shown, scene).sort(
    (one, other) => rankOf(scene, one) - rankOf(scene, other),
  )
  const is = seen(scene.observed)
  const outcomes = outcomesOf(account, happened, scene)
  const next = outcomes.find((one) => isDeepStrictEqual(is, foretold(one))) ?? outcomes[0] ?? account
  requireRefusals([account, next], happened, scene.window.to)
  const should = foretold(next)
  if (!isDeepStrictEqual(is, should))
    throw new Disagreement(
      `the database holds\n${JSON.stringify(is, null, 1)}\nbut by the rules it is\n${JSON.stringify(should, null, 1)}`,
    )
  return next
}
