import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Phone } from '../world/phone.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'
import { alertsOf, look, passWorking } from '../world/watch.ts'

const buysAnew = (phone: Phone) => phone.buys('monthly', randomUUID())

const buysAndFails = async (phone: Phone) => {
  const { status } = await phone.purchaseAnswer('monthly', randomUUID())
  expect([502, 504]).toContain(status)
}

const paysAndIsRefused = async (phone: Phone) => {
  const [delivery] = await phone.pays(await buysAnew(phone), { once: true })
  return delivery?.status
}

/** One condition held, counted and ended: told once, not again while it lasts. */
async function expectOneAlert(world: TestWorld, kind: string, subject: string) {
  await look(world)
  expect(await alertsOf(world, kind)).toMatchObject([{ subject, times: 1, over: false }])
  await look(world)
  expect(await alertsOf(world, kind)).toMatchObject([{ subject, times: 1, over: false }])
  await passWorking(world, { minutes: 1 })
  await look(world)
  expect(await alertsOf(world, kind)).toMatchObject([{ subject, times: 2, over: false }])
}

describe('deliveries of the platform', () => {
  test('with a wrong API v3 key three refused deliveries raise one alert, and the first accepted one ends it', async () => {
    await using world = await openTestWorld({ merchant: { apiV3Keys: ['not the key of this merchant 012'] } })
    const phone = await world.phone()
    expect([await paysAndIsRefused(phone), await paysAndIsRefused(phone)]).toEqual([400, 400])
    await look(world)
    expect(await alertsOf(world, 'notifications_refused')).toEqual([])
    await paysAndIsRefused(phone)
    await expectOneAlert(world, 'notifications_refused', 'verified')
    await passWorking(world, { hours: 1 })
    await look(world)
    expect(await alertsOf(world, 'notifications_refused')).toMatchObject([{ over: false }])
    world.services.observations.sawDelivery({ status: 204, reason: null })
    expect((await look(world)).ended).toEqual(['notifications_refused verified'])
  })

  test('wrong signatures under a known key are a warning, at most one an hour, and probes are nothing', async () => {
    await using world = await openTestWorld()
    const phone = await world.phone()
    const purchase = await buysAnew(phone)
    await phone.pays(purchase, { silent: true })
    const send = (changes: object) =>
      world.platform.deliver(world.platform.notification(purchase.order.out_trade_no, changes))
    for (let turn = 0; turn < 4; turn++) expect((await send({ probe: true })).status).toBe(401)
    for (let turn = 0; turn < 4; turn++) expect((await send({ serial: 'PUB_KEY_ID_1' })).status).toBe(401)
    for (let turn = 0; turn < 4; turn++)
      expect((await send({ wrongKey: true, clockSkewSeconds: -900 })).status).toBe(401)
    expect((await look(world)).opened).toEqual([])
    for (let turn = 0; turn < 3; turn++) expect((await send({ corruptByte: true })).status).toBe(401)
    await look(world)
    expect(await alertsOf(world, 'notifications_refused')).toMatchObject([
      { subject: 'unverified', detail: { severity: 'warning' } },
    ])
    expect((await send({})).status).toBe(204)
    expect((await look(world)).ended).toEqual(['notifications_refused unverified'])
    await passWorking(world, { minutes: 6 })
    for (let turn = 0; turn < 3; turn++) await send({ wrongKey: true })
    expect((await look(world)).opened).toEqual([])
    await passWorking(world, { minutes: 54 })
    for (let turn = 0; turn < 3; turn++) await send({ wrongKey: true })
    expect((await look(world)).opened).toEqual(['notifications_refused unverified'])
  })

  test('payments that only asking found, with no notification for half an hour, raise one alert', async () => {
    await using world = await openTestWorld()
    const phone = await world.phone()
    const older = await buysAnew(phone)
    await phone.pays(older)
    const found: string[] = []
    for (let turn = 0; turn < 2; turn++) {
      const purchase = await buysAnew(phone)
      await phone.pays(purchase, { silent: true })
      await phone.syncs(purchase.order.out_trade_no)
      found.push(purchase.order.out_trade_no)
    }
    await passWorking(world, { minutes: 29 })
    await look(world)
    expect(await alertsOf(world, 'payments_missing')).toEqual([])
    await passWorking(world, { minutes: 2 })
    await look(world)
    expect(await alertsOf(world, 'payments_missing')).toMatchObject([{ subject: 'notifications', times: 1 }])
    await passWorking(world, { minutes: 4 })
    await look(world)
    expect(await alertsOf(world, 'payments_missing')).toMatchObject([{ times: 2, over: false }])
    await world.platform.resend(found[0] ?? '')
    await passWorking(world, { minutes: 1 })
    expect((await look(world)).ended).toEqual(['payments_missing notifications'])
  })

  test('payments of virtual payment that no push tells of raise one of their own, whatever the other address gets', async () => {
    await using world = await openTestWorld()
    await plantVirtualPayment(world)
    await plantVirtualPayment(world, { confirmedBy: 'notification' })
    await passWorking(world, { minutes: 31 })
    await look(world)
    expect(await alertsOf(world, 'payments_missing')).toEqual([])
    const { attemptNo } = await plantVirtualPayment(world)
    await passWorking(world, { minutes: 5 })
    const phone = await world.phone()
    await phone.pays(await buysAnew(phone))
    await passWorking(world, { minutes: 26 })
    await look(world)
    expect(await alertsOf(world, 'payments_missing')).toMatchObject([{ subject: 'pushes', times: 1 }])
    world.platform.usePush({ url: `${world.url}/api/v1/wechat/push` })
    await world.platform.pushAgain(attemptNo)
    await passWorking(world, { minutes: 1 })
    expect((await look(world)).ended).toEqual(['payments_missing pushes'])
  })
})

describe('calls to the platform', () => {
  test('with a wrong merchant serial the third failed purchase raises one alert, and purchases that work end it', async () => {
    await using world = await openTestWorld({
      merchant: { merchantSerialNo: '7777777777777777777777777777777777777777' },
    })
    const phone = await world.phone()
    await buysAndFails(phone)
    await buysAndFails(phone)
    expect((await look(world)).opened).toEqual([])
    await buysAndFails(phone)
    await expectOneAlert(world, 'prepay_failing', 'purchases')
    expect(await alertsOf(world, 'platform_unreachable')).toEqual([])
    await world.query(`UPDATE orders SET prepay_failure = NULL, prepay_id = 'wx1', prepay_expires_at = business_now(), status = 'prepay'
      WHERE id = (SELECT max(id) FROM orders)`)
    expect((await look(world)).ended).toEqual(['prepay_failing purchases'])
  })

  test('a fifth of the last fifty orders is enough, one bad order of a quiet day is not', async () => {
    await using world = await openTestWorld()
    const phone = await world.phone()
    const failing = { kind: 'error_before', at: 'prepay', status: 400, times: 1 } as const
    world.platform.faults.add(failing)
    await buysAndFails(phone)
    for (let turn = 0; turn < 2; turn++) await buysAnew(phone)
    expect((await look(world)).opened).toEqual([])
    for (let turn = 0; turn < 9; turn++) {
      world.platform.faults.add(failing)
      await buysAndFails(phone)
      for (let more = 0; more < 2; more++) await buysAnew(phone)
    }
    expect((await look(world)).opened).toEqual(['prepay_failing purchases'])
  })

  test('a platform that answers nobody raises one alert, its failed purchases no other, and the first answer ends it', async () => {
    await using world = await openTestWorld()
    const phone = await world.phone()
    await buysAnew(phone)
    await look(world)
    await passWorking(world, { minutes: 2 })
    world.platform.faults.set([{ kind: 'drop' }])
    for (let turn = 0; turn < 2; turn++) await buysAndFails(phone)
    await look(world)
    expect(await alertsOf(world, 'platform_unreachable')).toEqual([])
    await buysAndFails(phone)
    await expectOneAlert(world, 'platform_unreachable', 'payment')
    expect(await alertsOf(world, 'prepay_failing')).toEqual([])
    await passWorking(world, { hours: 1 })
    await look(world)
    expect(await alertsOf(world, 'platform_unreachable')).toMatchObject([{ over: false }])
    world.platform.faults.clear()
    await buysAnew(phone)
    expect((await look(world)).ended).toEqual(['platform_unreachable payment'])
    await look(world)
    expect(await alertsOf(world, 'prepay_failing')).toEqual([])
  })
})
