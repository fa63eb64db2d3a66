import type { PlanChoice } from '@meridian/miniprogram-client'
import type { ConsoleApi } from '../support/call-console.ts'
import { chanceOf, oneOf } from './chance.ts'
import { playOffice } from './play-office.ts'
import { playVisit } from './play-visit.ts'
import type { Sandbox } from './sandbox.ts'
import { openShop, type Shop, type Size } from './shop.ts'
import type { Staff } from './staff.ts'
import { count, inWords } from './tally.ts'

export type Demo = Size & {
  sandbox: Sandbox
  api: ConsoleApi
  staff: Staff
  say: (line: string) => void
  /** Ends it after the day that is being played. */
  signal?: AbortSignal
}

/** How many people have their phone in hand at once. */
const atOnce = 4
/** New people come during this part of the time, so that the last of them are seen for a while. */
const shareOfArrivals = 0.7
const shareOfVisits = 0.2
/** The staff works every so many days: a code of an authenticator is worth one sign-in in real half minutes. */
const officeEvery = 6

type Faults = readonly { kind: string; at: string; times: number; ms?: number }[]

/** What may happen to notifications on a day; on most nothing does. */
const faultChoices: readonly [Faults, ...Faults[]] = [
  [],
  ...Array.from({ length: 6 }, (): Faults => []),
  [{ kind: 'drop', at: 'notification', times: 2 }],
  [{ kind: 'delay', at: 'notification', ms: 1_500, times: 2 }],
  [{ kind: 'duplicate', at: 'notification', times: 1 }],
]

/** Does this with each, a few at a time. */
async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Who comes on a day: everybody on the day of their arrival, later now and then. */
function visitorsOf({ chance, people }: Shop, day: number, days: number): number[] {
  const arrivalOf = (person: number) => Math.floor((person / people.length) * days * shareOfArrivals)
  return [...people.keys()].filter(
    (person) =>
      arrivalOf(person) === day || (arrivalOf(person) < day && chance('visit', day, person) < shareOfVisits),
  )
}

async function plansOf({ people }: Shop): Promise<[PlanChoice, ...PlanChoice[]]> {
  const offers = await people[0]?.client.plans()
  const [first, ...others] = offers?.plans ?? []
  if (first === undefined) throw new Error('There is no plan to buy.')
  return [first, ...others]
}

/** Some of yesterday's open sheets are paid after their order was closed. */
async function payLate(shop: Shop, day: number): Promise<void> {
  for (const { outTradeNo, person } of shop.left.splice(0)) {
    if (shop.chance('late', day, person) > 0.5) continue
    await shop.sandbox.takeLate(outTradeNo)
    count(shop.tally, 'late')
  }
}

async function playDay(shop: Shop, day: number, { days }: Demo): Promise<void> {
  const now = await shop.sandbox.now()
  await payLate(shop, day)
  const plans = await plansOf(shop)
  const visitors = visitorsOf(shop, day, days)
  await eachOf(visitors, (person) => playVisit(shop, { day, person, now, plans }))
}

/** Whether the staff works at the end of this day: from the third on, now and then, and on the last. */
const isOfficeDay = (day: number, days: number) =>
  day === days - 1 || (day >= 2 && (day - 2) % officeEvery === 0)

/**
 * Plays so many days of so many people, by what phones, operators and the platform can do; nothing is written by
 * another way. The same seed plays the same.
 */
export async function playMonth(demo: Demo): Promise<Shop> {
  const { sandbox, users, days, say, signal, seed } = demo
  const chance = chanceOf(seed)
  const shop = openShop(sandbox, demo, chance)
  const faults = await sandbox.faults()
  say(`Playing ${days} days of ${users} people, seed ${seed}.`)
  try {
    for (let day = 0; day < days && !signal?.aborted; day += 1) {
      await sandbox.setFaults([...faults, ...oneOf(faultChoices, chance('faults', day))])
      const unpaid = shop.tally.get('unpaid')
      await playDay(shop, day, demo)
      if (isOfficeDay(day, days)) await playOffice(shop, day, demo)
      const now = await sandbox.nextDay({ leftUnpaid: shop.tally.get('unpaid') !== unpaid })
      say(`Day ${day + 1} of ${days}, ${now.toISOString().slice(0, 10)}: ${inWords(shop.tally)} so far.`)
    }
  } finally {
    await sandbox.setFaults(faults)
  }
  return shop
}
