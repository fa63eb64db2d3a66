import { Phone } from '../world/phone.ts'
import { isUnpaid } from './account.ts'
import { isWatched } from './acts.ts'
import { Disagreement, type Effect, follow } from './effects.ts'
import { observe } from './observe.ts'
import { closing, following, newlySent, tracking } from './platform-truth.ts'
import { isRefusedByAge, type Situation } from './situations.ts'
import type { Crash, Fault } from './steps.ts'
import type { Call, Visit } from './visit.ts'

/** What sequences have done so far, for whoever wants to know that they did anything. */
export type Tally = {
  steps: number
  acts: Map<string, number>
  crashes: Map<string, number>
  /** How many sequences came to a situation, and how many requests were refused for their age. */
  situations: Map<Situation, number>
}
export const newTally = (): Tally => ({
  steps: 0,
  acts: new Map(),
  crashes: new Map(),
  situations: new Map(),
})
export const count = <Name extends string>(counts: Map<Name, number>, name: Name) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

export type Run = { visit: Visit; tally: Tally }
type Perils = { crash: Crash | null; fault: Fault | null }
export const noFaults: Perils = { crash: null, fault: null }

/** Makes calls at once, among perils, and holds what they did against the rules. */
export async function take(
  { visit, tally }: Run,
  calls: readonly Call[],
  { crash, fault }: Perils,
): Promise<void> {
  const { shop } = visit
  const from = shop.now()
  if (fault) shop.platform.faults.add(fault)
  if (crash) shop.replicas[crash.on].gate.arm(crash)
  const outcomes = await Promise.all(calls.map((call) => call.make()))
  shop.platform.faults.clear()
  const places = await shop.revive()
  for (const place of places) count(tally.crashes, place)
  // Whatever waited this long for a busy machine may have been given up: a push is after two seconds.
  const slow = shop.now() - from > 1_500
  // A request whose client gave up is carried out all the same: its effects belong to this step.
  if (slow) await Promise.all(shop.replicas.map(({ untilAnswered }) => untilAnswered()))
  const perilous = fault !== null || places.length > 0 || slow
  for (const [index, { failed, answer }] of outcomes.entries())
    if (failed && !perilous)
      throw new Disagreement(`${calls[index]?.name} failed without a reason: ${answer}`)
  const effects = calls.flatMap((call, index) => {
    const outcome = outcomes[index] ?? { answer: 'lost', failed: true }
    return call.effects({ ...outcome, failed: outcome.failed || fault !== null || slow })
  })
  for (const effect of effects)
    if (isRefusedByAge(visit.account, effect, from)) count(tally.situations, 'a refund refused after a year')
  await hold(visit, effects, from)
  if (places.length > 0) await pass(visit, leaseMs)
}

/** Whoever asked for a prepay and died is waited for so long. */
const leaseMs = 7_000

async function hold(visit: Visit, effects: readonly Effect[], from: number): Promise<void> {
  const observed = await observe(visit.shop.pool, visit.userId)
  visit.account = follow(visit.account, effects, { observed, window: { from, to: visit.shop.now() } })
  visit.observed = observed
}

/** Everything that waits becomes due, and both replicas' workers do it. */
export function working(visit: Visit): Call {
  const { shop } = visit
  const before = visit.account
  const newest = before.orders.at(-1)
  return {
    name: 'work',
    make: async () => {
      await shop.pool.query(
        'SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs WHERE run_at > now()',
      )
      // Times are kept in milliseconds: "now" may be rounded into what is still to come.
      await shop.pool.query(`UPDATE due_jobs SET run_at = business_now() - interval '1 second'`)
      const works = await Promise.allSettled(shop.replicas.map((replica) => replica.work()))
      const failed = works.find((one) => one.status === 'rejected')
      // A worker that died with a job in its hands may end without a word: the job is done when somebody frees it.
      const died = shop.replicas.some(({ gate }) => gate.fell() !== null)
      return { answer: String(failed?.reason ?? 'done'), failed: died || failed !== undefined }
    },
    effects: ({ failed }) => {
      const orders = before.orders.filter((order) => isUnpaid(order) && !order.parkedFor)
      return [
        ...orders.flatMap(({ no, expiresAt }) =>
          no !== newest?.no || expiresAt <= shop.now()
            ? closing(visit, no, !failed)
            : following(visit, no, !failed),
        ),
        ...before.orders.filter(isWatched).flatMap(({ no }) => following(visit, no, !failed)),
        ...before.refunds.flatMap((refund) => tracking(visit, refund, !failed)),
        ...newlySent(visit).map((no): Effect => ({ is: 'settled', certain: !failed, no, to: 'processing' })),
      ]
    },
  }
}

export async function pass(visit: Visit, ms: number): Promise<void> {
  const { shop, phones } = visit
  await shop.passTime(ms)
  const { tokens } = await Phone.logIn(shop.replicas[0].url, shop.platform, phones[0].openid)
  for (const phone of phones) phone.tokens = tokens
  await hold(visit, [], shop.now())
}
