import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestWorld } from '../world/test-world.ts'
import { look, passWorking } from '../world/watch.ts'

/** What happens on any day: once, to one call or one notification. */
const ordinaryFaults = [
  { kind: 'delay', at: 'prepay', ms: 300, times: 2 },
  { kind: 'error_before', at: 'prepay', status: 500, times: 1 },
  { kind: 'rate_limited', at: 'prepay', times: 1 },
  { kind: 'html', at: 'query', times: 1 },
  { kind: 'drop', at: 'prepay', times: 1 },
  { kind: 'corrupt_byte', at: 'notification', times: 1 },
  { kind: 'probe', at: 'notification', times: 2 },
  { kind: 'duplicate', at: 'notification', times: 1 },
  { kind: 'drop', at: 'notification', times: 1 },
  { kind: 'unknown_serial', at: 'notification', times: 1 },
] as const

test('a day of ordinary play with ordinary faults of the platform raises none of these alerts', async () => {
  await using world = await openTestWorld({ jobs: true })
  world.platform.setScheduleSpeed(100)
  for (const fault of ordinaryFaults) {
    world.platform.faults.add(fault)
    const phone = await world.phone()
    const key = randomUUID()
    // Who meets a fault taps again.
    const buys = async () => (await phone.purchaseAnswer('monthly', key)).status
    await expect.poll(buys).toBeLessThan(300)
    const purchase = await phone.buys('monthly', key)
    await phone.pays(purchase)
    await phone.syncs(purchase.order.out_trade_no)
    await expect.poll(async () => (await phone.subscription()).remaining_days).toBe(30)
    expect((await look(world)).opened).toEqual([])
  }
  const left = await world.phone()
  await left.buys()
  await expect.poll(() => world.query('SELECT 1 FROM notifications')).toHaveLength(ordinaryFaults.length)
  await passWorking(world, { minutes: 35 })
  expect((await look(world)).opened).toEqual([])
})
