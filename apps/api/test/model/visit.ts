import type { VirtualPaymentParams } from '@meridian/contracts'
import { DomainError } from '../../src/platform/errors/domain-error.ts'
import { type Answer, codeOf, type Phone } from '../world/phone.ts'
import type { Account, Handset } from './account.ts'
import type { Effect } from './effects.ts'
import type { Attempt, Observed } from './observe.ts'
import type { Shop } from './open-shop.ts'
import type { Which } from './steps.ts'

/** A notification or push that was taken in, and what it says. */
export type Delivered = { id: string; effect: Effect }

/** What a phone was given to open a sheet of virtual payment with. */
export type Sheet = { number: string; orderNo: string; params: VirtualPaymentParams; system: Handset }

/** One user in the shop, and what the model knows of them. */
export type Visit = {
  shop: Shop
  phones: readonly [Phone, Phone]
  userId: string
  account: Account
  /** What the database held after the last step: numbers and instants, which no rule foretells. */
  observed: Observed
  inbox: Delivered[]
  /** Ids under which the inbox may keep other bytes than those that were taken in last. */
  doubtful: Set<string>
  sheets: Sheet[]
  /** Days whose bill was had when they were over: what it says never changes any more. */
  writtenBills: Set<string>
}

/** How a call ended: `failed` means that it may or may not have had its effect. */
export type Outcome = { answer: string; failed: boolean }

/** A call ready to be made: who makes it knows afterwards what it must have done. */
export type Call = {
  name: string
  make: () => Promise<Outcome>
  /** Read when everything of the step has ended. */
  effects: (outcome: Outcome) => Effect[]
}

export const done: Outcome = { answer: 'done', failed: false }
export const isOurFault = (status: number) => status >= 500
/** Said to one of two taps when the other takes longer than it is waited for. */
const isStillAtWork = (code: string) => code === 'idempotency_in_progress'

/** The end of a call over HTTP, in words. */
export function outcomeOf(answer: Answer): Outcome {
  if (answer.status < 300) return done
  const code = codeOf(answer)
  return { answer: code, failed: isOurFault(answer.status) || isStillAtWork(code) }
}

/** A call that the network lost is a failed one. */
export const throughNetwork = (call: Promise<Outcome>): Promise<Outcome> =>
  call.catch((error: unknown) => ({ answer: String(error), failed: true }))

/** The end of a story called directly: a verdict of the business, or a failure. */
export const storyEnd = (story: Promise<unknown>): Promise<Outcome> =>
  story.then(
    () => done,
    (error: unknown) =>
      error instanceof DomainError && !error.code.startsWith('payment_platform')
        ? { answer: error.code, failed: false }
        : { answer: String(error), failed: true },
  )

/** The one that is `index` away from the newest. */
export const choose = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items.length === 0 ? undefined : items[items.length - 1 - (index % items.length)]

export const wordsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ answer }) => answer).join(' ')
export const other = (on: Which): Which => (on === 0 ? 1 : 0)
export const employee = ({ shop }: Visit, which: Which) => (which === 0 ? shop.finance : shop.owner)

/** The attempts of an order, oldest first. */
export const attemptsOf = ({ observed }: Visit, no: string): readonly Attempt[] =>
  observed.orders.find((order) => order.no === no)?.attempts ?? []
