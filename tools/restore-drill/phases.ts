import type { Chance } from '../faults/chance.ts'
import type { Figures } from '../faults/figures.ts'
import type { World } from '../faults/open-world.ts'
import { type Order, order, shop } from '../faults/shopper.ts'
import { config } from './config.ts'
import type { Server } from './open-server.ts'

type Visit = { world: World<Server>; chance: Chance; figures: Figures }

/** The network loses, repeats and delays nothing: what is lost here, the database loses. */
export const calm: Chance = {
  of: () => false,
  between: (least) => least,
  oneOf: ([first]) => first,
}

async function inTurns<Item>(count: number, one: (place: number) => Promise<Item>): Promise<Item[]> {
  const done: Item[] = []
  let begun = 0
  const work = async () => {
    while (begun < count) {
      begun += 1
      done.push(await one(begun))
    }
  }
  await Promise.all(Array.from({ length: config.atOnce }, work))
  return done
}

/** Shoppers who buy, pay, cancel and walk away. */
export const goShopping = (visit: Visit) => inTurns(config.shoppers, () => shop(visit))

/** People who have ordered, half of them by virtual payment, and will pay when it is too late for the archive. */
export const orderInTime = (visit: Visit): Promise<Order[]> =>
  inTurns(config.lateOrders, (place) =>
    order({ ...visit, chance: calm }, place % 2 === 0 ? 'other' : 'android'),
  )

/**
 * They pay, and others order and pay by JSAPI. Nobody orders by virtual payment now: the platform lists no such payments,
 * so that one whose order the database has lost cannot be found by asking (docs/backups.md).
 */
export async function payTooLate(visit: Visit, ordered: readonly Order[]): Promise<void> {
  await inTurns(ordered.length, async (place) => ordered[place - 1]?.pay())
  await inTurns(config.lateOrders, async () => {
    const { pay } = await order({ ...visit, chance: calm }, 'other')
    await pay()
  })
}
