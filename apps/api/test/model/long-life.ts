import fc from 'fast-check'
import type { Handset } from './account.ts'
import { type Act, anyStep, beginning, type Crash, crashes, handset, type Step, which } from './steps.ts'

const dayMinutes = 1440
type Plan = Extract<Step, { step: 'buy' }>['plan']

const plan = fc.constantFrom<Plan>('monthly', 'monthly', 'quarterly')
const part = fc.constantFrom(0.3, 0.5, 0.75, 1)
/** Fewer than in an ordinary life: what a chapter is about should come about. */
const crash = crashes(8)
const noise = fc.array(anyStep, { maxLength: 3 })

const pass = (days: number): Step => ({ step: 'pass', minutes: days * dayMinutes })
const alone = (act: Act, peril: Crash | null = null): Step => ({
  step: 'together',
  acts: [act],
  crash: peril,
  fault: null,
})

const once = { key: null, again: null, opens: false, copies: 1, crash: null, fault: null } as const

/** What is not Apple's to give back. */
const android = fc.constant('android' as const)

/** Buys a plan and pays at once; the notification comes, and the program may die over it. */
const purchase = (wanted: fc.Arbitrary<Plan>, phone: fc.Arbitrary<Handset> = handset): fc.Arbitrary<Step[]> =>
  fc
    .tuple(wanted, phone, which, crash)
    .map(([bought, system, on, peril]) => [
      { step: 'buy', plan: bought, system, ...once, on },
      { step: 'pay', order: 0, sheet: 0, when: 'now' },
      alone({ act: 'notify', order: 0, on, copies: 1, ids: 'same', earlier: false }, peril),
    ])

/** A part of an order goes back, with a second person where it takes one, and the platform ends it. The newest order is 0. */
const refund = (order: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(part, which, crash)
    .map(([share, on, peril]) => [
      alone({ act: 'request', order, on, part: share, keepDays: false, by: 0 }),
      alone({ act: 'decide', refund: 0, on, approve: true, by: 1 }),
      alone({ act: 'track', refund: 0, on }),
      { step: 'end', refund: 0, as: 'SUCCESS' },
      alone({ act: 'refundNotify', refund: 0, on, copies: 1 }, peril),
    ])

const joined = (...parts: fc.Arbitrary<Step[]>[]): fc.Arbitrary<Step[]> =>
  fc.tuple(...parts).map((steps) => steps.flat())
/** Weeks and years go by; what waited when they began was done long before they end. */
const passing = (...days: number[]) =>
  fc.constantFrom(...days).map((many): Step[] => [{ step: 'work', crash: null, fault: null }, pass(many)])

/** The days run out before the next purchase. */
const lapse = joined(purchase(plan), passing(31, 95, 200), purchase(plan))

/** Two orders, one behind the other, and both are given back in part, the earlier or the later one first. */
const stacked = joined(
  purchase(plan, android),
  purchase(plan, android),
  passing(0.01, 1.5, 10),
  fc.constantFrom([0, 1], [1, 0]).chain((orders) => joined(...orders.map(refund))),
)

/** A year's plan runs to its end; then it is too late to give it back, and somebody tries. */
const year = joined(
  purchase(fc.constant('yearly'), android),
  passing(366, 400),
  which.map((on) => [alone({ act: 'request', order: 0, on, part: 1, keepDays: false, by: 0 })]),
)

/** A life of years: chapters that an ordinary life hardly comes to, in any order, with anything between them. */
export const longLife: fc.Arbitrary<Step[]> = fc
  .tuple(
    beginning,
    noise,
    lapse,
    noise,
    stacked,
    noise,
    year,
    fc.shuffledSubarray([0, 2, 4], { minLength: 3 }),
  )
  .map(([first, ...told]) => {
    const order = told[6]
    const chapters: Step[][] = [told[0], told[1], told[2], told[3], told[4], told[5]]
    return [...first, ...order.flatMap((at) => [...(chapters[at] ?? []), ...(chapters[at + 1] ?? [])])]
  })
