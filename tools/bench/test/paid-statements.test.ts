import { type Answered, answers } from '@meridian/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyPayment } from '../../../apps/api/src/payments/apply-payment.ts'
import { openTestWorld, type TestWorld } from '../../../apps/api/test/world/test-world.ts'
import { signedNotification } from '../notifications.ts'
import { deliveryOf, paidStatements } from '../paid-statements.ts'

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
  const verdict = await applyPayment(world.services.database.pool, delivery.payment, delivery.arrival)
  answers.off('answered', listen)
  expect(verdict).toBe('applied')
  expect(paidStatements(delivery).map(({ name, text }) => [name, text])).toEqual(sent)
})

test('its statements pay an order on a migrated database', async () => {
  const { phone, delivery } = await waitingPayment()
  for (const statement of paidStatements(delivery)) await world.services.database.pool.query(statement)
  expect((await phone.order(delivery.payment.outTradeNo)).status).toBe('paid')
})
