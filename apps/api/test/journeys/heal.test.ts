import { expect, test } from 'vitest'
import { healLostTime } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import type { Phone } from '../world/phone.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ platform: { billsAtOnce: true } })
const chinaDay = (instant: Date) => new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

const now = () => world.services.runtime.now()
const today = () => chinaDay(now())

/** A day passes, so that the bill of what was paid until now is there; answers what heals what was lost since. */
async function untilTomorrow() {
  const lostAt = now()
  await world.passTime({ days: 1 })
  return () => healLostTime(world.services, lostAt)
}

/** What a restored database does not have: the order and everything that came of it; its user too, when they were new. */
async function forgetOrder(outTradeNo: string, openid: string | null): Promise<void> {
  await tamper(
    world,
    `DELETE FROM order_events WHERE order_id = (SELECT id FROM orders WHERE out_trade_no = '${outTradeNo}');
    DELETE FROM orders WHERE out_trade_no = '${outTradeNo}';
    DELETE FROM subscriptions WHERE user_id IN (SELECT id FROM users WHERE openid = '${openid}');
    DELETE FROM users WHERE openid = '${openid}'`,
  )
}

async function paidAndUnheard(phone: Phone, planCode: string): Promise<string> {
  const purchase = await phone.buys(planCode)
  await phone.pays(purchase, { silent: true })
  return purchase.order.out_trade_no
}

const stateOf = async (outTradeNo: string) => {
  const [row] = await world.query<{ status: string; confirmed_by: string; plan_code: string; days: number }>(
    `SELECT o.status, o.confirmed_by, o.plan_code, g.days FROM orders o LEFT JOIN grants g ON g.order_id = o.id
     WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  return row
}

test('what a restored database lost is healed by asking the platform and by its bill, once', async () => {
  const [known, lost, stranger] = await Promise.all([world.phone(), world.phone(), world.phone()])
  const unheard = await paidAndUnheard(known, 'monthly')
  const forgotten = await paidAndUnheard(lost, 'quarterly')
  const unknown = await paidAndUnheard(stranger, 'yearly')
  await forgetOrder(forgotten, null)
  await forgetOrder(unknown, stranger.openid)

  const heal = await untilTomorrow()
  const healed = await heal()
  expect(healed).toMatchObject({
    asked: 1,
    paid: 1,
    recreated: 2,
    failed: 0,
    unexplained: [],
    withoutBill: [today()],
  })
  expect(await stateOf(unheard)).toEqual({
    status: 'paid',
    confirmed_by: 'sync',
    plan_code: 'monthly',
    days: 30,
  })
  expect(await stateOf(forgotten)).toMatchObject({ status: 'paid', confirmed_by: 'bill', days: 90 })
  expect(await stateOf(unknown)).toMatchObject({ status: 'paid', confirmed_by: 'bill', days: 365 })

  const again = await heal()
  expect(again).toMatchObject({ asked: 0, recreated: 0 })
  expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
})

test('a payment that no single plan explains is left to a person', async () => {
  const phone = await world.phone()
  const outTradeNo = await paidAndUnheard(phone, 'monthly')
  await forgetOrder(outTradeNo, null)
  await world.query(`UPDATE plans SET price_fen = 3100 WHERE code = 'monthly'`)
  const heal = await untilTomorrow()
  const { recreated, unexplained } = await heal()
  expect({ recreated, unexplained }).toEqual({ recreated: 0, unexplained: [outTradeNo] })
  const [difference] = await world.query(
    `SELECT 1 FROM reconciliation_differences WHERE out_trade_no = '${outTradeNo}'`,
  )
  expect(difference).toBeDefined()
})

test('on the day of the restore today has no bill yet, and nobody asks the platform for one', async () => {
  const before = world.platform.requests.length
  const healed = await healLostTime(world.services, now())
  expect(healed).toMatchObject({ withoutBill: [today()], unavailable: [], failed: 0 })
  const asked = world.platform.requests.slice(before).map(({ path }) => path)
  expect(asked.filter((path) => path.includes(today()))).toEqual([])
})

test('a bill that cannot be had keeps no other day and no figure back', async () => {
  const lostAt = now()
  await world.passTime({ days: 3 })
  world.platform.faults.set([{ at: 'bill', kind: 'error_before' }])
  const healed = await healLostTime(world.services, lostAt)
  world.platform.faults.clear()
  expect(healed.unavailable).toHaveLength(3)
  expect(healed.withoutBill).toEqual([today()])
})
