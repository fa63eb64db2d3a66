import { PaymentsError } from '@meridian/payments'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import {
  type Console,
  codeOf,
  hire,
  idOf,
  openConsole,
  problemOf,
  signedInConsole,
} from '../world/console.ts'
import { secondInstance } from '../world/second-instance.ts'
import { askRefund, sayRefundEnd } from '../world/send-refund.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let first: Console
let second: Console
let third: Console
let operatorId: string

const emails = ['first@example.com', 'second@example.com', 'third@example.com'] as const

beforeAll(async () => {
  const open = async (email: string) => (await signedInConsole(world, { email, role: 'finance' })).console
  first = await open(emails[0])
  second = await open(emails[1])
  third = await open(emails[2])
  operatorId = await idOf(world, emails[0])
})
beforeEach(async () => {
  world.platform.faults.clear()
  for (const [console, email] of [
    [first, emails[0]],
    [second, emails[1]],
    [third, emails[2]],
  ] as const)
    await console.operator.prove.mutate({ code: await codeOf(world, email) })
})

const refuse = () => world.platform.faults.set([{ kind: 'error_before', at: 'refund', status: 404 }])
const track = (outRefundNo: string, services = world.services) =>
  trackRefund(services, { outRefundNo, attempt: 0 })

/** The platform forgets what was paid, and remembers it when told to. */
function forgetPayments(outTradeNo: string): () => void {
  const order = world.platform.orders.get(outTradeNo)
  const payments = order?.payments.splice(0) ?? []
  return () => void order?.payments.push(...payments)
}

/** A month that was bought, and its refund, which the platform refuses because it knows no such payment. */
async function unknownThere() {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const remember = forgetPayments(outTradeNo)
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen: 2900, operatorId })
  await track(outRefundNo)
  return { phone, outTradeNo, outRefundNo, remember }
}

/** A month that was bought, and its refund, which the platform refuses as long as it likes. */
async function refused(amountFen = 2900) {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen, operatorId })
  refuse()
  await track(outRefundNo)
  return { phone, outTradeNo, outRefundNo }
}

const reason = 'WeChat knows no such order'
const ask = async (outRefundNo: string, who = first) => {
  const { waitingStop } = await who.refund.requestStop.mutate({ outRefundNo, reason })
  if (!waitingStop) throw new Error('nothing waits')
  return waitingStop.id
}
const decide = (who: Console, outRefundNo: string, id: string) =>
  who.refund.decideStop.mutate({ outRefundNo, id, approve: true })
const refuseStop = (who: Console, outRefundNo: string, id: string) =>
  who.refund.decideStop.mutate({ outRefundNo, id, approve: false })
const show = (outRefundNo: string) => second.refund.detail.query({ outRefundNo })
const stateOf = async (outRefundNo: string) => (await show(outRefundNo)).state
const orderOf = async (outTradeNo: string) => {
  const [order] = await world.query<{ status: string; reserved: number; refunded: number }>(
    `SELECT status::text, refund_reserved_fen AS reserved, refunded_fen AS refunded FROM orders WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  return order
}
const alertsOf = (outRefundNo: string) =>
  world.query<{ kind: string; open: boolean }>(
    'SELECT kind, resolved_at IS NULL AS open FROM alerts WHERE subject = $1 ORDER BY id',
    [outRefundNo],
  )
/** A refund whose stop is asked for, and which the platform has after all. */
async function refusedThenTaken() {
  const { outTradeNo, outRefundNo } = await refused()
  const id = await ask(outRefundNo)
  world.platform.faults.clear()
  await world.services.payments?.requestRefund({ outRefundNo, outTradeNo, amountFen: 2900, totalFen: 2900 })
  return { outTradeNo, outRefundNo, id }
}

const requestOf = async (id: string) =>
  (await world.query<{ state: string }>('SELECT state::text FROM approval_requests WHERE id = $1', [id]))[0]
    ?.state

/** A payments client whose sendings wait until they are let go; `arrives` is what becomes of them. */
function heldSending(arrives: 'answered' | 'lost') {
  const { payments } = world.services
  if (!payments) throw new Error('this world pays')
  let letGo = () => {}
  let started = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const begun = new Promise<void>((resolve) => {
    started = resolve
  })
  const requestRefund: typeof payments.requestRefund = async (refund) => {
    started()
    await gate
    if (arrives === 'lost') throw new PaymentsError('timeout')
    return payments.requestRefund(refund)
  }
  return { services: { ...world.services, payments: { ...payments, requestRefund } }, begun, letGo }
}

describe('a refund that the platform refuses', () => {
  test('is in one state, with the code, in a tab of its own, and may be retried', async () => {
    const { outTradeNo, outRefundNo, remember } = await unknownThere()
    expect(await show(outRefundNo)).toMatchObject({ state: 'refused', failure: 'RESOURCE_NOT_EXISTS' })
    const [row] = (await second.refund.list.query({ status: 'refused' })).items
    expect(row).toMatchObject({ outRefundNo, state: 'refused' })
    expect((await second.refund.list.query({ status: 'approved', search: outTradeNo })).items).toEqual([])
    const counts = await second.refund.counts.query({ search: outTradeNo })
    expect(counts.find(({ tab }) => tab === 'refused')).toMatchObject({ count: 1 })
    expect((await second.order.detail.query({ outTradeNo })).refunds).toMatchObject([{ state: 'refused' }])
    remember()
    expect(await first.refund.retry.mutate({ outRefundNo })).toMatchObject({
      state: 'processing',
      failure: null,
    })
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_stuck', open: false }])
  })

  test('is given up by two persons: closed, its sum free again, days and order as they were', async () => {
    const { phone, outTradeNo, outRefundNo } = await unknownThere()
    const id = await ask(outRefundNo)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900 })
    expect(await problemOf(decide(first, outRefundNo, id))).toBe('second_person_required')
    expect((await second.approval.waiting.query()).items).toMatchObject([
      { kind: 'refund_stop', subject: outRefundNo, after: { reason } },
    ])
    const stopped = await decide(second, outRefundNo, id)
    expect(stopped).toMatchObject({
      status: 'closed',
      state: 'stopped',
      failure: 'RESOURCE_NOT_EXISTS',
      stop: { reason, requestedByEmail: emails[0], confirmedByEmail: emails[1] },
      waitingStop: null,
    })
    expect(await orderOf(outTradeNo)).toEqual({ status: 'paid', reserved: 0, refunded: 0 })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await alertsOf(outRefundNo)).toEqual([{ kind: 'refund_stuck', open: false }])
    const { events } = await second.order.detail.query({ outTradeNo })
    expect(events.filter(({ kind }) => kind.startsWith('refund_stop'))).toMatchObject([
      { kind: 'refund_stop_requested', operatorEmail: emails[0], detail: { note: reason } },
      { kind: 'refund_stopped', operatorEmail: emails[1], requesterEmail: emails[0] },
    ])
    const entries = await world.query(
      `SELECT action, after FROM audit_entries WHERE subject_id = $1 AND action LIKE '%stop' ORDER BY id`,
      [outRefundNo],
    )
    expect(entries).toEqual([
      { action: 'refund.request_stop', after: { reason } },
      { action: 'refund.stop', after: { reason, requestedBy: operatorId } },
    ])
    await expect(askRefund(world, { outTradeNo, amountFen: 2900, operatorId })).resolves.toMatchObject({
      status: 'approved',
    })
    expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
  })

  test('and was given up is not sent again', async () => {
    const { outRefundNo } = await refused()
    await decide(second, outRefundNo, await ask(outRefundNo))
    world.platform.faults.clear()
    await track(outRefundNo)
    expect(await problemOf(first.refund.retry.mutate({ outRefundNo }))).toBe('changed_meanwhile')
    expect(world.platform.refunds.has(outRefundNo)).toBe(false)
    expect(await stateOf(outRefundNo)).toBe('stopped')
  })

  test('is refused to be given up by who may not ask, twice, or while it is not refused', async () => {
    const { outTradeNo, outRefundNo } = await refused(1000)
    const { console: desk } = await signedInConsole(world, { email: 'desk@example.com', role: 'operator' })
    expect(await problemOf(desk.refund.requestStop.mutate({ outRefundNo, reason }))).toBe('forbidden')
    const id = await ask(outRefundNo)
    expect(await problemOf(second.refund.requestStop.mutate({ outRefundNo, reason }))).toBe('already_waiting')
    expect(await problemOf(decide(second, outRefundNo, String(Number(id) + 1000)))).toBe('changed_meanwhile')
    const other = await askRefund(world, { outTradeNo, amountFen: 1000, operatorId })
    const ofOther = { outRefundNo: other.outRefundNo, reason }
    expect(await problemOf(second.refund.requestStop.mutate(ofOther))).toBe('changed_meanwhile')
    expect(await problemOf(decide(second, other.outRefundNo, id))).toBe('changed_meanwhile')
    expect(await refuseStop(first, outRefundNo, id)).toMatchObject({ state: 'refused', waitingStop: null })
    expect(await requestOf(id)).toBe('withdrawn')
    const again = await ask(outRefundNo)
    await refuseStop(second, outRefundNo, again)
    expect(await requestOf(again)).toBe('rejected')
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2000 })
  })

  test('is kept where the platform has it after all, and goes on', async () => {
    const { outTradeNo, outRefundNo, id } = await refusedThenTaken()
    expect(await decide(second, outRefundNo, id)).toMatchObject({ state: 'processing', waitingStop: null })
    expect(await requestOf(id)).toBe('rejected')
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900 })
  })

  test('is closed by the platform’s own word where it failed for good there', async () => {
    const { outTradeNo, outRefundNo, id } = await refusedThenTaken()
    Object.assign(world.platform.refunds.get(outRefundNo) ?? {}, { status: 'CLOSED' })
    expect(await decide(second, outRefundNo, id)).toMatchObject({ state: 'closed', stop: null })
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 0 })
  })

  test('is not given up while the platform cannot be asked', async () => {
    const { outRefundNo } = await refused()
    const id = await ask(outRefundNo)
    world.platform.faults.add({ kind: 'error_before', at: 'refund_query', status: 500 })
    expect(await problemOf(decide(second, outRefundNo, id))).toBe('payment_platform_error')
    expect(await stateOf(outRefundNo)).toBe('refused')
    world.platform.faults.set([{ kind: 'html', at: 'refund_query' }])
    expect(await problemOf(decide(second, outRefundNo, id))).toBe('payment_platform_error')
    expect(await requestOf(id)).toBe('requested')
  })

  test('and then succeeded there after it was given up is a contradiction, its sum held', async () => {
    const { outTradeNo, outRefundNo } = await refused()
    await decide(second, outRefundNo, await ask(outRefundNo))
    world.platform.faults.clear()
    await world.services.payments?.requestRefund({ outRefundNo, outTradeNo, amountFen: 2900, totalFen: 2900 })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(409)
    expect((await alertsOf(outRefundNo)).at(-1)).toEqual({ kind: 'refund_contradicted', open: true })
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 2900, refunded: 0 })
    await second.refund.decideContradiction.mutate({ outRefundNo, accept: 'succeeded', note: 'it arrived' })
    expect(await orderOf(outTradeNo)).toEqual({ status: 'refunded', reserved: 2900, refunded: 2900 })
    expect(await stateOf(outRefundNo)).toBe('succeeded')
  })
})

describe('a sending and a stop at the same time', () => {
  test('while an answer may still come, nothing is given up', async () => {
    const { outRefundNo } = await refused()
    const id = await ask(outRefundNo)
    world.platform.faults.clear()
    const { services, begun, letGo } = heldSending('answered')
    const sending = track(outRefundNo, services)
    await begun
    expect(await problemOf(decide(second, outRefundNo, id))).toBe('refund_being_sent')
    letGo()
    await sending
    expect(await stateOf(outRefundNo)).toBe('processing')
    expect(await decide(second, outRefundNo, id)).toMatchObject({ state: 'processing', waitingStop: null })
  })

  test('a sending that begins between the question and the decision keeps the refund', async () => {
    const { outRefundNo } = await refused()
    const id = await ask(outRefundNo)
    const gate = await world.services.database.pool.connect()
    await gate.query('BEGIN')
    await gate.query('SELECT 1 FROM approval_requests WHERE id = $1 FOR UPDATE', [id])
    const deciding = problemOf(decide(second, outRefundNo, id))
    await untilWaiting(world, 1)
    await track(outRefundNo)
    await gate.query('COMMIT')
    gate.release()
    expect(await deciding).toBe('refund_being_sent')
    expect(await stateOf(outRefundNo)).toBe('refused')
    expect(await decide(second, outRefundNo, id)).toMatchObject({ state: 'stopped' })
  })

  test('one whose answer got lost blocks it for ten minutes and not for ever', async () => {
    const { outRefundNo } = await refused()
    const { services, letGo } = heldSending('lost')
    letGo()
    await expect(track(outRefundNo, services)).rejects.toThrow(/timeout/)
    const id = await ask(outRefundNo)
    expect(await problemOf(decide(second, outRefundNo, id))).toBe('refund_being_sent')
    await world.passTime({ minutes: 9 })
    expect(await problemOf(decide(second, outRefundNo, id))).toBe('refund_being_sent')
    await world.passTime({ minutes: 2 })
    await second.operator.prove.mutate({ code: await codeOf(world, emails[1]) })
    expect(await decide(second, outRefundNo, id)).toMatchObject({ state: 'stopped' })
  })

  test('a late refusal of an older sending does not mark what a newer one brought under way', async () => {
    const { outRefundNo } = await refused()
    const { services, begun, letGo } = heldSending('answered')
    const older = track(outRefundNo, services)
    await begun
    world.platform.faults.clear()
    await track(outRefundNo)
    refuse()
    letGo()
    await older
    expect(await show(outRefundNo)).toMatchObject({ state: 'processing', failure: null })
  })

  test('retries, notifications and stops in any order never give the sum back twice', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const { outTradeNo, outRefundNo } = await refused()
      const id = await ask(outRefundNo)
      world.platform.faults.clear()
      const acts = [
        () => decide(second, outRefundNo, id),
        () => first.refund.retry.mutate({ outRefundNo }),
        () => decide(third, outRefundNo, id),
      ]
      await Promise.allSettled(
        acts
          .slice(turn % 3)
          .concat(acts.slice(0, turn % 3))
          .map((act) => act()),
      )
      const sent = world.platform.refunds.has(outRefundNo)
      expect(await stateOf(outRefundNo)).toBe(sent ? 'processing' : 'stopped')
      expect(await orderOf(outTradeNo)).toMatchObject({ reserved: sent ? 2900 : 0 })
    }
  })

  test('a notification that comes with the stop is either first, or a contradiction', async () => {
    const { outTradeNo, outRefundNo } = await refused()
    const id = await ask(outRefundNo)
    const { payments } = world.services
    if (!payments) throw new Error('this world pays')
    const gate = await world.services.database.pool.connect()
    await gate.query('BEGIN')
    await gate.query('SELECT 1 FROM approval_requests WHERE id = $1 FOR UPDATE', [id])
    const deciding = decide(second, outRefundNo, id)
    await untilWaiting(world, 1)
    world.platform.faults.clear()
    await payments.requestRefund({ outRefundNo, outTradeNo, amountFen: 2900, totalFen: 2900 })
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    await gate.query('COMMIT')
    gate.release()
    expect(await problemOf(deciding)).toBe('changed_meanwhile')
    expect(await orderOf(outTradeNo)).toEqual({ status: 'refunded', reserved: 2900, refunded: 2900 })
  })

  test('of two second persons at two processes one confirms it', async () => {
    const { outTradeNo, outRefundNo } = await refused()
    const id = await ask(outRefundNo)
    await using other = await secondInstance(world)
    await hire(world, { email: 'fourth@example.com', role: 'finance' })
    const elsewhere = { ...world, url: other.url }
    const { token } = await openConsole(elsewhere).operator.signIn.mutate({
      email: 'fourth@example.com',
      password: 'password of fourth@example.com',
      code: await codeOf(world, 'fourth@example.com'),
    })
    const fourth = openConsole(elsewhere, { session: token })
    const answers = await Promise.allSettled([
      decide(second, outRefundNo, id),
      decide(third, outRefundNo, id),
      decide(fourth, outRefundNo, id),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await orderOf(outTradeNo)).toMatchObject({ reserved: 0 })
  })

  test('the database itself refuses a stop that nobody approved, and a sending of what ended', async () => {
    const { outRefundNo } = await refused()
    const { pool } = world.services.database
    const id = await ask(outRefundNo)
    const stop = `UPDATE refunds SET status = 'closed', stopped_at = business_now(), stop_request_id = $2 WHERE out_refund_no = $1`
    await expect(pool.query(stop, [outRefundNo, id])).rejects.toThrow(/may not be stopped/)
    await decide(second, outRefundNo, id)
    const send = 'UPDATE refunds SET sendings = sendings + 1 WHERE out_refund_no = $1'
    await expect(pool.query(send, [outRefundNo])).rejects.toThrow(/not sent any more/)
    const reopen = 'UPDATE refunds SET stopped_at = NULL, stop_request_id = NULL WHERE out_refund_no = $1'
    await expect(pool.query(reopen, [outRefundNo])).rejects.toThrow(/may not be stopped/)
  })
})
