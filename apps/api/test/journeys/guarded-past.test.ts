import { expect, test } from 'vitest'
import { guardInvariants } from '../../src/invariants/guard-invariants.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

/** The orders that were paid and have no grant, as one run of the job finds them. */
const ungranted = async () =>
  (await guardInvariants(world.services.database.pool))
    .filter(({ invariant }) => invariant === 'paid_without_grant')
    .map(({ subject }) => subject)

async function paid(): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  return purchase.order.out_trade_no
}

const takeGrant = (outTradeNo: string) =>
  tamper(
    world,
    `DELETE FROM grants WHERE order_id = (SELECT id FROM orders WHERE out_trade_no = '${outTradeNo}')`,
  )

test('what was written since is looked at in the next run, and the past part by part, over and over', async () => {
  const [old, other] = [await paid(), await paid()]
  await world.query(`SELECT setval('orders_id_seq', 120000)`)
  const newest = await paid()
  expect(await ungranted()).toEqual([])

  await takeGrant(newest)
  expect(await ungranted()).toEqual([])
  expect(await ungranted()).toEqual([newest])

  expect(await ungranted()).toEqual([])
  await takeGrant(old)
  await takeGrant(other)
  await world.query(
    `INSERT INTO order_events (order_id, kind, channel) SELECT id, 'ask', 'console' FROM orders WHERE out_trade_no = $1`,
    [other],
  )
  expect(await ungranted()).toEqual([other])
  expect(await ungranted()).toEqual([])
  expect(await ungranted()).toEqual([old])
})
