import { randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { Purchase } from '@meridian/contracts'
import { PhoneError } from '@meridian/payments/testing'
import { expect } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { isPaid, isUnpaid, newAccount, type Order } from './account.ts'
import {
  billedDays,
  billing,
  type Call,
  callOf,
  cancelling,
  choose,
  closing,
  following,
  type Outcome,
  outcomeOf,
  throughNetwork,
  tracking,
  type Visit,
} from './acts.ts'
import { Disagreement, type Effect, follow } from './effects.ts'
import { observe } from './observe.ts'
import type { Shop } from './open-shop.ts'
import { isRefusedByAge, type Situation, situationsOf } from './situations.ts'
import type { Crash, Fault, Step, Which } from './steps.ts'

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
const count = <Name extends string>(counts: Map<Name, number>, name: Name) =>
  counts.set(name, (counts.get(name) ?? 0) + 1)

type Run = { visit: Visit; tally: Tally }
type Perils = { crash: Crash | null; fault: Fault | null }
const noFaults: Perils = { crash: null, fault: null }

async function enter(shop: Shop): Promise<Visit> {
  const [one, other] = shop.replicas
  const phone = await Phone.logIn(one.url, shop.platform, `o${randomUUID()}`)
  const { openid, platform, tokens } = phone
  const elsewhere = new Phone(`${other.url}/api/v1`, { openid, platform, tokens })
  const { rows } = await shop.pool.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [openid])
  await setPolicy(shop, 'activate')
  const userId = rows[0]?.id ?? ''
  return { shop, phones: [phone, elsewhere], userId, account: newAccount('activate'), inbox: [] }
}

const setPolicy = ({ pool }: Shop, policy: string) => setSetting(pool, 'late_payment_policy', policy)

/** Makes calls at once, among perils, and holds what they did against the rules. */
async function take({ visit, tally }: Run, calls: readonly Call[], { crash, fault }: Perils): Promise<void> {
  const { shop } = visit
  const from = shop.now()
  if (fault) shop.platform.faults.add(fault)
  if (crash) shop.replicas[crash.on].gate.arm(crash)
  const outcomes = await Promise.all(calls.map((call) => call.make()))
  shop.platform.faults.clear()
  const places = await shop.revive()
  for (const place of places) count(tally.crashes, place)
  // Whatever waited this long for a busy machine may have been given up.
  const slow = shop.now() - from > 4_000
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
}

const isOverdue = ({ shop }: Visit, order: Order) => isUnpaid(order) && order.expiresAt <= shop.now()

/** What a purchase must be answered, by the order that its key or the last tap names. */
function expectedAnswer(visit: Visit, known: Order | undefined, plan: string): string {
  if (!known) return 'done'
  if (known.plan !== plan) return 'idempotency_key_reused'
  const paidThere = isOverdue(visit, known) && visit.shop.platform.orders.get(known.no)?.payments.length
  if (isPaid(known) || paidThere) return 'order_already_paid'
  return known.status === 'closed' || isOverdue(visit, known) ? 'order_closed' : 'done'
}

const tapMs = 10_000

/** The order that a purchase goes on with. */
function knownOrder({ account, shop }: Visit, step: Buy): Order | undefined {
  if (step.key !== null) return account.orders.find(({ key }) => key === step.key)
  return account.orders.findLast(
    (order) => isUnpaid(order) && order.plan === step.plan && shop.now() - order.createdAt < tapMs,
  )
}

type Buy = Extract<Step, { step: 'buy' }>

function buying(visit: Visit, step: Buy): Call {
  const { plan, key, on, copies } = step
  const known = knownOrder(visit, step)
  const expected = expectedAnswer(visit, known, plan)
  // Asked about before anything is said of it.
  const asked = known?.plan === plan && isOverdue(visit, known) ? known.no : null
  // A prepay that the platform has already answered, or an order it has already ended, is refused there.
  const mayBeRefused = known?.status === 'created' && visit.shop.platform.orders.has(known.no)
  const numbers = new Set<string>()
  const once = async (copy: number): Promise<Outcome> => {
    const phone = visit.phones[(copy + on) % 2 === 0 ? 0 : 1]
    const answer = await phone.purchaseAnswer(plan, key ?? undefined)
    if (answer.status < 300) numbers.add(Purchase.parse(answer.body).order.out_trade_no)
    return outcomeOf(answer)
  }
  return {
    name: `buy ${plan} ${key ?? ''}`,
    make: async () => {
      const outcomes = await Promise.all(
        Array.from({ length: copies }, (_, copy) => throughNetwork(once(copy))),
      )
      const good = outcomes.find(({ failed }) => !failed)
      const refused = outcomes.some(({ answer }) => answer.startsWith('payment_platform'))
      return good ?? { answer: 'failed', failed: !(refused && mayBeRefused) }
    },
    effects: ({ failed, answer }) => {
      if (numbers.size > 1) throw new Disagreement(`two taps made ${numbers.size} orders`)
      const refused = answer === 'failed'
      if (!failed && !refused && answer !== expected && !(expected === 'done' && !known))
        throw new Disagreement(`buying was answered ${answer}, not ${expected}`)
      if (asked !== null) return closing(visit, asked, !failed)
      if (expected !== 'done') return []
      const certain = !failed && !refused
      const no = known?.no ?? null
      return [
        ...(known ? [] : [{ is: 'opened', certain, plan, key } as const]),
        { is: 'prepared', certain, no },
      ]
    },
  }
}

/** Taps that are neither clearly one wish nor clearly two become two: no busy machine may decide it. */
async function letTapsPass(visit: Visit, step: Buy): Promise<void> {
  const known = step.key === null && knownOrder(visit, step)
  if (known && visit.shop.now() - known.createdAt > 1_000) await pass(visit, tapMs)
}

/** Everything that waits becomes due, and both replicas' workers do it. */
function working(visit: Visit): Call {
  const { shop } = visit
  const before = visit.account
  const newest = before.orders.at(-1)
  return {
    name: 'work',
    make: async () => {
      await shop.pool.query(
        'SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs WHERE run_at > now()',
      )
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
        ...before.refunds.flatMap((refund) => tracking(visit, refund, !failed)),
      ]
    },
  }
}

/** The payer presses "pay" while the order is being closed: after we asked, before we close. */
async function race(
  { visit, tally }: Run,
  { order: index, on }: { order: number; on: Which },
): Promise<void> {
  const { platform } = visit.shop
  const payable = visit.account.orders.filter((order) => {
    const theirs = platform.orders.get(order.no)
    return isUnpaid(order) && theirs?.state === 'NOTPAY' && order.expiresAt > visit.shop.now()
  })
  const order = choose(payable, index)
  if (!order) return
  const cancel = cancelling(visit, order, on)
  const paying: Call = {
    ...cancel,
    make: async () => {
      platform.faults.add({ kind: 'delay', at: 'query', outTradeNo: order.no, ms: 40, times: 1 })
      const answer = cancel.make()
      let answered = false
      const note = () => {
        answered = true
      }
      answer.then(note, note)
      while (platform.faults.rules.length > 0 && !answered) await scheduler.wait(1)
      await payOn(visit, order.no, { silent: true })
      return answer
    },
  }
  await take({ visit, tally }, [paying], noFaults)
}

/** The phone may be refused; then nothing was paid. */
const payOn = ({ shop }: Visit, no: string, changes: Parameters<Shop['platform']['pay']>[1]) =>
  shop.platform.pay(no, changes).catch((error: unknown) => {
    if (!(error instanceof PhoneError)) throw error
  })

async function pay(visit: Visit, { order: index, when }: Extract<Step, { step: 'pay' }>): Promise<void> {
  const { platform } = visit.shop
  const payable = visit.account.orders.filter(({ no }) => platform.orders.get(no)?.payments.length === 0)
  const order = choose(payable, index)
  if (!order) return
  const inTime = new Date(Math.min(visit.shop.now(), order.expiresAt - 60_000))
  await payOn(visit, order.no, { silent: true, late: true, ...(when === 'in time' && { paidAt: inTime }) })
}

async function payAgain(visit: Visit, index: number): Promise<void> {
  const { platform } = visit.shop
  const order = choose(
    visit.account.orders.filter(({ no }) => platform.orders.get(no)?.payments.length),
    index,
  )
  if (order) await payOn(visit, order.no, { silent: true, late: true, again: true })
}

function endRefund(visit: Visit, { refund: index, as }: Extract<Step, { step: 'end' }>): void {
  const open = visit.account.refunds.flatMap(({ no }) => {
    const theirs = visit.shop.platform.refunds.get(no)
    return theirs && (theirs.status === 'PROCESSING' || theirs.status === 'ABNORMAL') ? [theirs] : []
  })
  const refund = choose(open, index)
  if (!refund) return
  refund.status = as
  refund.succeededAt = as === 'SUCCESS' ? new Date(visit.shop.now()) : null
}

async function pass(visit: Visit, ms: number): Promise<void> {
  const { shop, phones } = visit
  await shop.passTime(ms)
  const { tokens } = await Phone.logIn(shop.replicas[0].url, shop.platform, phones[0].openid)
  for (const phone of phones) phone.tokens = tokens
  await hold(visit, [], shop.now())
}

async function go(run: Run, step: Step): Promise<void> {
  const { visit } = run
  switch (step.step) {
    case 'rest':
      return
    case 'buy':
      await letTapsPass(visit, step)
      return take(run, [buying(visit, step)], step)
    case 'together': {
      const calls = step.acts.flatMap((act) => {
        const call = callOf(visit, act)
        if (call) count(run.tally.acts, act.act)
        return call ?? []
      })
      return take(run, calls, step)
    }
    case 'race':
      return race(run, step)
    case 'work':
      return take(run, [working(visit)], step)
    case 'pay':
      return pay(visit, step)
    case 'payAgain':
      return payAgain(visit, step.order)
    case 'end':
      return endRefund(visit, step)
    case 'pass':
      return pass(visit, step.minutes * 60_000)
    case 'policy':
      await setPolicy(visit.shop, step.policy)
      visit.account = { ...visit.account, policy: step.policy }
  }
}

/** Nobody does anything any more: the workers and the daily bill alone must bring everything to its end. */
async function comeToRest(run: Run): Promise<void> {
  const { visit } = run
  await pass(visit, 45 * 60_000)
  await take(run, [working(visit)], noFaults)
  for (const refund of visit.shop.platform.refunds.values())
    if (refund.status === 'PROCESSING')
      Object.assign(refund, { status: 'SUCCESS', succeededAt: new Date(visit.shop.now()) })
  for (const date of billedDays(visit)) await take(run, [billing(visit, date, 0)], noFaults)
  await take(run, [working(visit)], noFaults)
  // Only where the machine was too busy for the first time.
  for (let again = 0; again < 3 && visit.account.orders.some(isUnpaid); again++)
    await take(run, [working(visit)], noFaults)
}

/** What no sequence may leave behind. */
async function judge({ shop, account, userId }: Visit): Promise<void> {
  expect(account.orders.filter(isUnpaid)).toEqual([])
  const found = await checkInvariants(shop.pool)
  expect(found.filter(({ invariant }) => invariant !== 'payments_found_by_asking')).toEqual([])
  const { rows: jumps } = await shop.pool.query(
    `SELECT out_trade_no, array_agg(e.from_status || '>' || e.to_status ORDER BY e.id) AS moves
     FROM orders o JOIN order_events e ON e.order_id = o.id
     WHERE o.user_id = $1 AND e.from_status <> e.to_status GROUP BY 1`,
    [userId],
  )
  expect(jumps.filter(({ moves }) => new Set(moves).size !== moves.length)).toEqual([])
}

/** One user's life in the shop, step by step, each held against the model. */
export async function runSequence(shop: Shop, steps: readonly Step[], tally: Tally): Promise<void> {
  const visit = await enter(shop)
  const run = { visit, tally }
  for (const step of steps) {
    tally.steps++
    count(tally.acts, step.step)

    await go(run, step)
  }
  for (const situation of situationsOf(visit.account, shop.now())) count(tally.situations, situation)
  await comeToRest(run)
  await judge(visit)
}
