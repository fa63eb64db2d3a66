import fc from 'fast-check'
import type { Channel, Handset, SalePolicy } from './account.ts'
import type { CrashPoint } from './statement-gate.ts'

/** Which of the two replicas. */
export type Which = 0 | 1

/** One call by somebody. `order`, `refund` and `entry` choose among those that exist then. */
export type Act =
  | { act: 'notify'; order: number; on: Which; copies: number; ids: 'same' | 'different'; earlier: boolean }
  /** A push of virtual payment that must never grant. */
  | { act: 'misnotify'; order: number; on: Which; wrong: 'probe' | 'env' | 'amount' | 'product' }
  | { act: 'sync'; order: number; on: Which; sheetError: number | null }
  | { act: 'sweep'; order: number; on: Which }
  | { act: 'cancel'; order: number; on: Which }
  | { act: 'request'; order: number; on: Which; part: number; keepDays: boolean; by: Which }
  | { act: 'returnSecond'; order: number; on: Which; part: number; by: Which }
  | { act: 'decide'; refund: number; on: Which; approve: boolean; by: Which }
  | { act: 'decideLate'; order: number; on: Which; decision: 'activate' | 'refund'; rival: boolean }
  | { act: 'activate'; order: number; on: Which }
  | { act: 'track'; refund: number; on: Which }
  | { act: 'refundNotify'; refund: number; on: Which; copies: number }
  | { act: 'tellApple'; refund: number; on: Which; copies: number }
  | { act: 'replay'; entry: number; on: Which; dry: boolean }
  | { act: 'bill'; order: number; on: Which }
  | { act: 'askAboutDay'; order: number; on: Which }
export type ActOf<Name extends Act['act']> = Extract<Act, { act: Name }>

export type Crash = CrashPoint & { on: Which }
export type Fault = {
  at: 'prepay' | 'query' | 'close' | 'refund' | 'refund_query' | 'xpay' | 'mini_program' | 'access_token'
  kind: 'error_before' | 'error_after' | 'drop' | 'unsigned' | 'token_expired'
  times?: number
}

export type Step =
  | { step: 'rest' }
  | {
      step: 'buy'
      plan: 'monthly' | 'quarterly' | 'yearly'
      /** By which channel the shop sells to this phone is its own matter. */
      system: Handset
      key: string | null
      /** Goes on with an unpaid order that has a key, where there is one: under that key, for that plan. */
      again: number | null
      /** The phone opens the sheet at once, where it was given one. */
      opens: boolean
      on: Which
      copies: number
      crash: Crash | null
      fault: Fault | null
    }
  | { step: 'together'; acts: readonly Act[]; crash: Crash | null; fault: Fault | null }
  | { step: 'race'; order: number; on: Which }
  | { step: 'work'; crash: Crash | null; fault: Fault | null }
  /** A sheet of virtual payment is opened and left; or the platform closes one that was left open. */
  | { step: 'sheet'; sheet: number; does: 'open' | 'close' }
  /** The payer presses "pay"; where that is too late, the money comes all the same. */
  | { step: 'pay'; order: number; sheet: number; when: 'now' | 'in time' }
  | { step: 'payAgain'; order: number; sheet: number }
  /** The platform ends a refund and its notification is on its way. */
  | { step: 'end'; refund: number; as: 'SUCCESS' | 'CLOSED' | 'ABNORMAL' }
  /** Apple gives somebody their money back; whether that is told at once or the push is lost. */
  | { step: 'apple'; sheet: number; tells: boolean }
  | { step: 'pass'; minutes: number }
  | { step: 'policy'; policy: 'activate' | 'refund' | 'ask' }
  | { step: 'sale'; sale: SalePolicy }

export const which = fc.constantFrom<Which>(0, 1)
/** The newest is 0: most of what happens, happens to it. */
const target = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.nat(5) })
const copies = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 4 }) },
)
const usually = <Value>(value: Value, other: fc.Arbitrary<Value>, oneIn = 4) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other })

const anyCrash: fc.Arbitrary<Crash> = fc.record({
  on: which,
  statement: fc.oneof({ weight: 4, arbitrary: fc.nat(7) }, { weight: 1, arbitrary: fc.nat(20) }),
  moment: fc.constantFrom<CrashPoint['moment']>('before', 'after'),
})
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    at: fc.constantFrom<Fault['at']>('prepay', 'query', 'close', 'refund', 'refund_query'),
    kind: fc.constantFrom<Fault['kind']>('error_before', 'error_after', 'drop', 'unsigned'),
  }),
  fc.record({
    at: fc.constantFrom<Fault['at']>('xpay', 'xpay', 'xpay', 'mini_program', 'access_token'),
    kind: fc.constantFrom<Fault['kind']>('error_before', 'error_after', 'drop'),
    times: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({
    at: fc.constant<Fault['at']>('xpay'),
    kind: fc.constant<Fault['kind']>('token_expired'),
    times: fc.constant(1),
  }),
)
export const crashes = (oneIn: number): fc.Arbitrary<Crash | null> =>
  usually<Crash | null>(null, anyCrash, oneIn)
const faultsIn = (oneIn: number): fc.Arbitrary<Fault | null> => usually<Fault | null>(null, anyFault, oneIn)

const act = {
  notify: fc.record({
    act: fc.constant('notify' as const),
    order: target,
    on: which,
    copies,
    ids: fc.constantFrom('same' as const, 'different' as const),
    earlier: fc.boolean(),
  }),
  misnotify: fc.record({
    act: fc.constant('misnotify' as const),
    order: target,
    on: which,
    wrong: fc.constantFrom('probe' as const, 'env' as const, 'amount' as const, 'product' as const),
  }),
  sync: fc.record({
    act: fc.constant('sync' as const),
    order: target,
    on: which,
    sheetError: usually<number | null>(null, fc.constantFrom(-2, -15_002, -15_013)),
  }),
  sweep: fc.record({ act: fc.constant('sweep' as const), order: target, on: which }),
  cancel: fc.record({ act: fc.constant('cancel' as const), order: target, on: which }),
  bill: fc.record({ act: fc.constant('bill' as const), order: target, on: which }),
  request: fc.record({
    act: fc.constant('request' as const),
    order: target,
    on: which,
    part: fc.constantFrom(0.0005, 0.3, 0.5, 0.75, 1),
    keepDays: usually(false, fc.constant(true)),
    by: which,
  }),
  returnSecond: fc.record({
    act: fc.constant('returnSecond' as const),
    order: target,
    on: which,
    part: fc.constantFrom(0.3, 0.5, 1, 1),
    by: which,
  }),
  activate: fc.record({ act: fc.constant('activate' as const), order: target, on: which }),
  tellApple: fc.record({ act: fc.constant('tellApple' as const), refund: target, on: which, copies }),
  askAboutDay: fc.record({ act: fc.constant('askAboutDay' as const), order: target, on: which }),
  decide: fc.record({
    act: fc.constant('decide' as const),
    refund: target,
    on: which,
    approve: usually(true, fc.constant(false)),
    by: which,
  }),
  decideLate: fc.record({
    act: fc.constant('decideLate' as const),
    order: target,
    on: which,
    decision: fc.constantFrom('activate' as const, 'refund' as const),
    rival: fc.boolean(),
  }),
  track: fc.record({ act: fc.constant('track' as const), refund: target, on: which }),
  refundNotify: fc.record({ act: fc.constant('refundNotify' as const), refund: target, on: which, copies }),
  replay: fc.record({ act: fc.constant('replay' as const), entry: target, on: which, dry: fc.boolean() }),
} satisfies Record<Act['act'], fc.Arbitrary<Act>>

const weighed = (weights: Partial<Record<Act['act'], number>>): fc.Arbitrary<Act> =>
  fc.oneof(
    ...Object.entries(act).flatMap(([name, arbitrary]) => {
      const weight = Object.entries(weights).find(([one]) => one === name)?.[1]
      return weight ? [{ weight, arbitrary: fc.oneof<fc.Arbitrary<Act>[]>(arbitrary) }] : []
    }),
  )

const alone = weighed({
  notify: 12,
  misnotify: 3,
  sync: 8,
  sweep: 6,
  cancel: 4,
  bill: 4,
  askAboutDay: 1,
  request: 10,
  returnSecond: 4,
  decide: 8,
  decideLate: 18,
  activate: 3,
  track: 6,
  refundNotify: 8,
  tellApple: 6,
  replay: 4,
})
const atOnce = weighed({
  notify: 10,
  misnotify: 2,
  sync: 6,
  sweep: 4,
  cancel: 4,
  request: 4,
  returnSecond: 1,
  track: 4,
  refundNotify: 6,
  tellApple: 5,
  replay: 4,
})

const channel = fc.constantFrom<Channel>('jsapi', 'virtual', 'virtual')
export const handset = fc.constantFrom<Handset>('ios', 'android')

const kind = <Name extends Step['step']>(name: Name) => fc.constant(name)
const steps = {
  buy: fc.record({
    step: kind('buy'),
    plan: fc.constantFrom('monthly' as const, 'monthly' as const, 'quarterly' as const, 'yearly' as const),
    system: handset,
    key: fc.constantFrom(null, 'one', 'two', 'three', 'four', 'five'),
    again: usually<number | null>(null, target, 2),
    opens: fc.boolean(),
    on: which,
    copies: usually(1, fc.constant(2), 10),
    crash: crashes(4),
    fault: faultsIn(12),
  }),
  alone: fc.record({ step: kind('together'), acts: fc.tuple(alone), crash: crashes(2), fault: faultsIn(15) }),
  together: fc.record({
    step: kind('together'),
    acts: fc.array(atOnce, { minLength: 2, maxLength: 4 }),
    crash: crashes(2),
    fault: fc.constant(null),
  }),
  race: fc.record({ step: kind('race'), order: target, on: which }),
  work: fc.record({ step: kind('work'), crash: crashes(2), fault: faultsIn(15) }),
  sheet: fc.record({
    step: kind('sheet'),
    sheet: target,
    does: usually('open' as const, fc.constant('close' as const), 6),
  }),
  pay: fc.record({
    step: kind('pay'),
    order: target,
    sheet: target,
    when: usually('now' as const, fc.constant('in time' as const), 3),
  }),
  payAgain: fc.record({ step: kind('payAgain'), order: target, sheet: target }),
  end: fc.record({
    step: kind('end'),
    refund: target,
    as: fc.constantFrom(
      'SUCCESS' as const,
      'SUCCESS' as const,
      'SUCCESS' as const,
      'CLOSED' as const,
      'ABNORMAL' as const,
    ),
  }),
  apple: fc.record({ step: kind('apple'), sheet: target, tells: fc.boolean() }),
  pass: fc.record({
    step: kind('pass'),
    minutes: fc.constantFrom(1, 45, 45, 12 * 60, 36 * 60, 10.5 * 1440, 29.5 * 1440, 31 * 1440),
  }),
  policy: fc.record({
    step: kind('policy'),
    policy: fc.constantFrom('activate' as const, 'refund' as const, 'ask' as const, 'ask' as const),
  }),
  sale: fc.record({ step: kind('sale'), sale: fc.record({ ios: channel, android: channel }) }),
}

/** What happens next. A step shrinks to resting, so that what is left of a failing sequence is what it takes to fail. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ step: 'rest' }) },
  { weight: 22, arbitrary: steps.buy },
  { weight: 8, arbitrary: steps.sheet },
  { weight: 28, arbitrary: steps.pay },
  { weight: 60, arbitrary: steps.alone },
  { weight: 26, arbitrary: steps.together },
  { weight: 4, arbitrary: steps.race },
  { weight: 12, arbitrary: steps.work },
  { weight: 6, arbitrary: steps.payAgain },
  { weight: 14, arbitrary: steps.end },
  { weight: 8, arbitrary: steps.apple },
  { weight: 12, arbitrary: steps.pass },
  { weight: 8, arbitrary: steps.policy },
  { weight: 4, arbitrary: steps.sale },
)

/** How a life begins: by which channel the shop sells to each phone, and what it does with late payments. */
export const beginning: fc.Arbitrary<Step[]> = fc.tuple(steps.sale, steps.policy)

/** A life under one policy of each kind, late payments mostly by the one that asks most of people, until somebody changes it. */
export const anyLife = (length: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(beginning, fc.array(anyStep, { minLength: length, maxLength: length }))
    .map(([first, rest]) => [...first, ...rest])
