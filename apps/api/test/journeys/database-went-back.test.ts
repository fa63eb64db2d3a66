import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { hire } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import {
  openLosableWorld,
  startLosableCluster,
  untilBack,
  untilHealed,
  watchSwitches,
} from '../world/lose-database.ts'
import type { Phone } from '../world/phone.ts'
import { secondInstance } from '../world/second-instance.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import type { TestWorld } from '../world/test-world.ts'
import { useOpened } from '../world/use-opened.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'
import { alertsOf, look } from '../world/watch.ts'

const cluster = useOpened(startLosableCluster)

/** What is done in between is lost: the server comes back as it was before. */
async function lose(world: TestWorld, how: { promoted?: boolean } = {}) {
  await cluster.lose()
  await cluster.startFromCopy(how)
  await untilBack(world)
}

const keepCopy = async (world: TestWorld) => {
  await cluster.keepCopy()
  await untilBack(world)
}

const statusOf = async (world: TestWorld, outTradeNo: string) =>
  (
    await world.query<{ status: string }>('SELECT status FROM orders WHERE out_trade_no = $1', [outTradeNo])
  )[0]?.status

const acknowledged = (deliveries: readonly { status: number | null }[]) =>
  deliveries.some(({ status }) => status === 204 || status === 200)

async function buysAndIsAcknowledged(phone: Phone, key?: string) {
  const purchase = await phone.buys('monthly', key)
  expect(acknowledged(await phone.pays(purchase))).toBe(true)
  return purchase.order.out_trade_no
}

const daysOf = async (phone: Phone) => (await phone.subscription()).remaining_days

/** Everything adds up, and somebody was told. */
async function expectHealed(world: TestWorld) {
  expect(await checkInvariants(world.services.database.pool)).toEqual([])
  await look(world)
  expect((await alertsOf(world, 'database_timeline_changed'))[0]).toMatchObject({ over: false })
  expect(await alertsOf(world, 'order_unknown')).toEqual([])
}

describe('what the database acknowledged and lost is made again', () => {
  test.each([
    ['a standby that lagged was promoted', { promoted: true }],
    ['the files of the server were put back', {}],
  ])('where %s: user, order and payment, once', async (_, how) => {
    const { world, watch } = await openLosableWorld(cluster)
    await using __ = world
    const before = await world.phone()
    await look(world)
    await keepCopy(world)
    const [newcomer, key] = [await world.phone(), randomUUID()]
    const outTradeNo = await buysAndIsAcknowledged(before, key)
    const lost = await buysAndIsAcknowledged(newcomer)
    await watch.look()
    await lose(world, how)
    expect([await statusOf(world, outTradeNo), await statusOf(world, lost)]).toEqual([undefined, undefined])

    await untilHealed(watch)
    expect([await statusOf(world, outTradeNo), await statusOf(world, lost)]).toEqual(['paid', 'paid'])
    // What the newcomer signed in with is lost, too: the mini-program signs in again.
    expect([await daysOf(before), await daysOf(await world.phone(newcomer.openid))]).toEqual([30, 30])
    expect((await before.purchaseAnswer('monthly', key)).status).toBe(409)
    const [created] = await world.query(
      `SELECT e.detail FROM order_events e JOIN orders o ON o.id = e.order_id WHERE e.kind = 'create' AND out_trade_no = $1`,
      [lost],
    )
    expect(created).toEqual({ detail: { recreated: true } })
    await expectHealed(world)
  })

  test('the payment of an order that is there, also where it was closed before', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    const phone = await world.phone()
    const open = await phone.buys('monthly')
    const canceller = await world.phone()
    const closed = await canceller.buys('monthly')
    const [payable, closedNo] = [open.order.out_trade_no, closed.order.out_trade_no]
    await world.query(
      `UPDATE orders SET status = 'closed', closed_at = business_now(), close_reason = 'expired' WHERE out_trade_no = $1`,
      [closedNo],
    )
    await look(world)
    await keepCopy(world)
    expect(acknowledged(await phone.pays(open))).toBe(true)
    expect(acknowledged(await canceller.pays(closed))).toBe(true)
    await lose(world, { promoted: true })
    await untilHealed(watch)
    expect([await statusOf(world, payable), await statusOf(world, closedNo)]).toEqual(['paid', 'paid'])
    expect([await daysOf(phone), await daysOf(canceller)]).toEqual([30, 30])
    await expectHealed(world)
  })

  test('virtual payments: a second number of an order, and an order with its first', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    await openVirtualShop(world)
    const [one, two] = [await world.phone(), await world.phone()]
    const key = randomUUID()
    const first = await one.buysVirtually({ key })
    world.platform.openSheet(first.payment_params, { openid: one.openid, system: 'android' })
    await world.passTime({ seconds: 11 })
    await look(world)
    await keepCopy(world)
    const again = await one.buysVirtually({ key })
    expect(again.payment_params).not.toEqual(first.payment_params)
    expect(acknowledged(await one.paysVirtually(again))).toBe(true)
    const whole = await two.buysVirtually()
    expect(acknowledged(await two.paysVirtually(whole))).toBe(true)
    await lose(world, { promoted: true })
    await untilHealed(watch)
    for (const { order } of [first, whole]) expect(await statusOf(world, order.out_trade_no)).toBe('paid')
    expect([await daysOf(one), await daysOf(two)]).toEqual([30, 30])
    await expectHealed(world)
  })

  test('a refund that the platform said is done', async () => {
    const { world, watch } = await openLosableWorld(cluster, { platform: { refundsSettleAfterMs: null } })
    await using _ = world
    const operatorId = await hire(world, { email: 'finance@example.com', role: 'finance' })
    const phone = await world.phone()
    const { outTradeNo, outRefundNo } = await sendRefund(world, { phone, operatorId })
    await look(world)
    await keepCopy(world)
    expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
    await lose(world, { promoted: true })
    expect(await statusOf(world, outTradeNo)).toBe('paid')
    await untilHealed(watch)
    expect(await statusOf(world, outTradeNo)).toBe('refunded')
    expect((await phone.subscription()).is_active).toBe(false)
    await expectHealed(world)
  })

  test('by two processes at once, of which each remembers a part', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    await using other = await secondInstance(world)
    const otherWatch = watchSwitches(other.services)
    await otherWatch.look()
    const [opened, whole] = [await world.phone(), await world.phone()]
    await look(world)
    await keepCopy(world)
    // Opened at one, and the notification comes to the other.
    const purchase = await opened.buys('monthly')
    const { out_trade_no: outTradeNo } = purchase.order
    await opened.pays(purchase, { silent: true })
    const { headers, body } = world.platform.notification(outTradeNo)
    const told = await fetch(`${other.url}/api/v1/payment/notify`, { method: 'POST', headers, body })
    expect(told.status).toBe(204)
    await buysAndIsAcknowledged(whole)
    await lose(world, { promoted: true })
    await Promise.all([untilHealed(watch), untilHealed(otherWatch)])
    expect(await statusOf(world, outTradeNo)).toBe('paid')
    expect([await daysOf(opened), await daysOf(whole)]).toEqual([30, 30])
    await expectHealed(world)
  })
})

describe('what was committed and is not there', () => {
  test('is noticed within a minute where no position shows it', async () => {
    const { world } = await openLosableWorld(cluster)
    await using _ = world
    const phone = await world.phone()
    await keepCopy(world)
    const outTradeNo = await buysAndIsAcknowledged(phone)
    await lose(world)
    // A watch that has not seen the server before: as if the commits had gone to a leader that nobody looked at.
    const watch = watchSwitches(world.services)
    await watch.look()
    expect(await statusOf(world, outTradeNo)).toBeUndefined()
    watch.later(60_000)
    await untilHealed(watch)
    expect(await statusOf(world, outTradeNo)).toBe('paid')
    expect(await daysOf(phone)).toBe(30)
    await expectHealed(world)
  })
})

describe('what cannot be made again at once', () => {
  test('waits for a platform that is away, through another switch', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    const phone = await world.phone()
    await look(world)
    await keepCopy(world)
    const outTradeNo = await buysAndIsAcknowledged(phone)
    await lose(world, { promoted: true })
    world.platform.faults.set([{ kind: 'error_before', at: 'query' }])
    for (let turn = 0; turn < 2; turn += 1) await watch.look()
    expect([watch.isHealing(), await statusOf(world, outTradeNo)]).toEqual([true, 'created'])
    await lose(world, { promoted: true })
    await watch.look()
    world.platform.faults.clear()
    await untilHealed(watch)
    expect(await statusOf(world, outTradeNo)).toBe('paid')
    expect(await daysOf(phone)).toBe(30)
    await expectHealed(world)
  })

  test('an order that only another process knew is made by its price, or raises an alert with its number', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    const gone = await secondInstance(world)
    const [phone, unclear] = [await world.phone(), await world.phone()]
    await look(world)
    await keepCopy(world)
    const buyAtTheOther = async (buyer: Phone, planCode: string) => {
      const answer = await buyer.callAt(`${gone.url}/api/v1`, '/subscription/purchase', {
        method: 'POST',
        body: { plan_code: planCode },
      })
      const { order, payment_params: params } = JSON.parse(JSON.stringify(answer.body))
      expect(acknowledged(await world.platform.requestPayment(params, { openid: buyer.openid }))).toBe(true)
      return String(order.out_trade_no)
    }
    const [known, lost] = [await buyAtTheOther(phone, 'monthly'), await buyAtTheOther(unclear, 'yearly')]
    await gone[Symbol.asyncDispose]()
    await lose(world, { promoted: true })
    await world.query(`UPDATE plans SET price_fen = price_fen + 1 WHERE code = 'yearly'`)
    await watch.look()
    expect(await statusOf(world, known)).toBeUndefined()
    watch.later(30_000)
    await untilHealed(watch)
    expect([await statusOf(world, known), await daysOf(phone)]).toEqual(['paid', 30])
    expect(await alertsOf(world, 'order_unknown')).toMatchObject([{ subject: lost, times: 1 }])
    watch.later(60_000)
    await watch.look()
    expect(watch.isHealing()).toBe(false)
    expect(await alertsOf(world, 'order_unknown')).toMatchObject([{ times: 1 }])
  })

  test('a process that started after the switch asks about every unpaid order', async () => {
    const { world } = await openLosableWorld(cluster)
    await using _ = world
    const phone = await world.phone()
    const purchase = await phone.buys('monthly')
    await look(world)
    await keepCopy(world)
    await phone.pays(purchase)
    await lose(world, { promoted: true })
    await look(world)
    await using started = await secondInstance(world)
    await untilHealed(watchSwitches(started.services))
    // The newest order is asked about 20 ms later.
    const asked = async () => {
      await doDueJobs(world)
      return statusOf(world, purchase.order.out_trade_no)
    }
    await expect.poll(asked).toBe('paid')
    await expectHealed(world)
  })

  test('whose account was erased meanwhile is not made again', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    await look(world)
    await keepCopy(world)
    const phone = await world.phone()
    const outTradeNo = await buysAndIsAcknowledged(phone)
    const code = world.platform.loginCode(phone.openid)
    expect((await phone.call('/me', { method: 'DELETE', body: { confirm: 'DELETE', code } })).status).toBe(
      204,
    )
    await lose(world, { promoted: true })
    await untilHealed(watch)
    expect(await statusOf(world, outTradeNo)).toBeUndefined()
    expect(await world.query('SELECT FROM users WHERE openid = $1', [phone.openid])).toEqual([])
  })

  test('nothing is made or told where nothing was lost', async () => {
    const { world, watch } = await openLosableWorld(cluster)
    await using _ = world
    const phone = await world.phone()
    await buysAndIsAcknowledged(phone)
    await watch.look()
    await keepCopy(world)
    const asked = world.platform.requests.length
    for (const minutes of [1, 15]) {
      watch.later(minutes * 60_000)
      await watch.look()
    }
    await look(world)
    expect(world.services.recentPurchases.all()).toEqual([])
    expect([watch.isHealing(), world.platform.requests.length]).toEqual([false, asked])
    expect(await alertsOf(world, 'database_timeline_changed')).toEqual([])
  })
})
