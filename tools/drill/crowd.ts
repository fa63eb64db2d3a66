import { randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { newChance } from '../faults/chance.ts'
import { newFigures } from '../faults/figures.ts'
import type { SeenCall, Shop } from '../faults/phone-calls.ts'
import { logIn, shop } from '../faults/shopper.ts'
import type { World } from './world.ts'

/** How many come: one customer each so many milliseconds, whatever became of those before; and readers beside them. */
export type Load = { customerEveryMs: number; readEveryMs: number }

export type Crowd = {
  calls: readonly SeenCall[]
  figures: ReturnType<typeof newFigures>
  /** Customers who gave up, with their last words. */
  gaveUp: readonly string[]
  /** Nobody comes any more; fulfilled when everybody who is here has left. */
  leave: () => Promise<void>
}

/** A customer who waits for a hung program holds a place; more than this many are a queue outside. */
const mostCustomers = 60
const readTimeoutMs = 5_000

const shopOf = ({ sandboxUrl, balancers }: World): Shop => ({
  sandboxUrl,
  replicas: [{ url: balancers.retrying }, { url: balancers.plain }],
})

/** Somebody who looks at what they have, through this balancer, again and again. */
async function readOnce(url: string, headers: Record<string, string>): Promise<SeenCall> {
  const path = '/subscription'
  const startedMs = Date.now()
  const status = await fetch(`${url}/api/v1${path}`, { headers, signal: AbortSignal.timeout(readTimeoutMs) })
    .then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
    .catch(() => null)
  return { url, method: 'GET', path, startedMs, endedMs: Date.now(), status }
}

/** Opens the doors of the shop: customers buy and pay, readers read, everything they see is taken down. */
export async function openCrowd(world: World, { customerEveryMs, readEveryMs }: Load): Promise<Crowd> {
  const over = new AbortController()
  const calls: SeenCall[] = []
  const gaveUp: string[] = []
  const figures = newFigures()
  const chance = newChance(Date.now())
  const visit = { world: shopOf(world), chance, figures, saw: (call: SeenCall) => void calls.push(call) }
  const reader = await logIn(visit, randomUUID())
  const underWay = new Set<Promise<unknown>>()
  const begin = (task: Promise<unknown>) => {
    const done = task.catch((error: unknown) => void gaveUp.push(String(error)))
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
  }
  const every = async (pauseMs: number, act: () => void) => {
    while (!over.signal.aborted) {
      act()
      await scheduler.wait(pauseMs, { signal: over.signal }).catch(() => undefined)
    }
  }
  const urls = Object.values(world.balancers)
  let turn = 0
  let customers = 0
  const arriving = every(customerEveryMs, () => {
    if (customers >= mostCustomers) return
    customers += 1
    begin(
      shop(visit).finally(() => {
        customers -= 1
      }),
    )
  })
  const reading = every(readEveryMs, () => {
    turn += 1
    const url = urls[turn % urls.length] ?? world.balancers.plain
    begin(readOnce(url, reader).then((call) => calls.push(call)))
  })
  return {
    calls,
    figures,
    gaveUp,
    leave: async () => {
      over.abort()
      await Promise.all([arriving, reading])
      await Promise.all(underWay)
    },
  }
}
