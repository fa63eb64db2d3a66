import { expect, test } from 'vitest'
import { openTestWorld } from '../world/test-world.ts'

test('a phone logs in, buys and pays, and the notification activates the subscription', async () => {
  await using world = await openTestWorld()
  const phone = await world.phone()
  expect(await phone.subscription()).toMatchObject({
    status: 'inactive',
    remaining_days: 0,
    plan: null,
    features: [],
  })

  const purchase = await phone.buys('monthly')
  expect(purchase.order).toMatchObject({
    status: 'prepay',
    amount_fen: 2900,
    plan: { code: 'monthly', duration_days: 30 },
  })
  expect((await phone.subscription()).is_active).toBe(false)

  const [delivery] = await phone.pays(purchase)
  expect(delivery).toMatchObject({ status: 204, answer: '' })
  expect(await phone.subscription()).toMatchObject({
    status: 'active',
    remaining_days: 30,
    plan: { code: 'monthly' },
    features: ['manual_treatment', 'report_detail'],
  })
  expect(await phone.order(purchase.order.out_trade_no)).toMatchObject({ status: 'paid' })
  const events = await world.query(
    'SELECT kind, from_status, to_status, channel FROM order_events ORDER BY id',
  )
  expect(events).toEqual([
    { kind: 'create', from_status: null, to_status: 'created', channel: 'rest' },
    { kind: 'prepare', from_status: 'created', to_status: 'prepay', channel: 'rest' },
    { kind: 'pay', from_status: 'prepay', to_status: 'paid', channel: 'notification' },
  ])
  const [prepared] = await world.query<{ id: unknown }>(
    `SELECT detail ->> 'platform_request_id' AS id FROM order_events WHERE kind = 'prepare'`,
  )
  expect(prepared?.id).toMatch(/\S/)
})
