import type { Chance } from './chance.ts'
import { meetPerson, type Person } from './person.ts'
import type { Sandbox } from './sandbox.ts'
import type { Tally } from './tally.ts'

/** An order that was paid, and by which day and person: what finance may give back. */
export type Sale = { outTradeNo: string; amountFen: number; mark: string }

/** Everything that one demo knows. */
export type Shop = {
  sandbox: Sandbox
  chance: Chance
  people: readonly Person[]
  /** Paid since finance was last there. */
  sales: Sale[]
  /** Orders whose sheet was left open: yesterday's may be paid too late. */
  left: { outTradeNo: string; day: number; person: number }[]
  /** Who has signed in, by their number, as the staff knows them. */
  known: Map<number, string>
  /** From when the owner has them sold plans, by virtual payment. */
  sellsToIphones: boolean
  tally: Tally
  /** What the API refused, in its words, once each. */
  refusals: Set<string>
}

const shareOfIphones = 0.25

export type Size = { users: number; days: number; seed: number }

export function openShop(sandbox: Sandbox, { users, seed }: Size, chance: Chance): Shop {
  const people = Array.from({ length: users }, (_, person) =>
    meetPerson(sandbox, {
      user: `demo-${seed}-${person + 1}`,
      system: chance('system', person) < shareOfIphones ? 'ios' : 'android',
    }),
  )
  return {
    sandbox,
    chance,
    people,
    sales: [],
    left: [],
    known: new Map(),
    sellsToIphones: false,
    tally: new Map(),
    refusals: new Set(),
  }
}
