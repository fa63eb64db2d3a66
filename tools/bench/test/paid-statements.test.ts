import { type Answered, answers } from '@meridian/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestWorld, type TestWorld } from '../../../apps/api/test/world/test-world.ts'
import { signedNotification } from '../notifications.ts'
import { deliveryOf, paidStatement } from '../paid-statements.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openTestWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** A payment whose notification is signed, and did not arrive. */
async function waitingPayment() {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  const outTradeNo = purchase.order.out_trade_no
  return {
    phone,
    delivery: deliveryOf(world.services.payments, signedNotification(world.platform, outTradeNo)),
  }
}

test('the bare client sends what the paid transition sends', async () => {
  const { delivery } = await waitingPayment()
  const sent: (string | null)[][] = []
  const listen = ({ query: { name, sql } }: Answered) => {
    sent.push([name, sql.text])
  }
  answers.on('answered', listen)
  const { paymentGroups, database } = world.services
  const verdict = await paymentGroups.apply(database.pool, delivery.payment, delivery.arrival)
  answers.off('answered', listen)
  expect(verdict).toBe('applied')
  const { name, text } = paidStatement([delivery])
  expect([[name, text]]).toEqual(sent)
})

test('its statement pays an order on a migrated database', async () => {
  const { phone, delivery } = await waitingPayment()
  await world.services.database.pool.query(paidStatement([delivery]))
  expect((await phone.order(delivery.payment.outTradeNo)).status).toBe('paid')
})
