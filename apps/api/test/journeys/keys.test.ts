import { expect, test } from 'vitest'
import { askForKeys, refreshKeys } from '../../src/keys/platform-keys.ts'
import { secondInstance } from '../world/second-instance.ts'
import { openTestWorld } from '../world/test-world.ts'

const withoutKeys = {
  platform: { keyMode: 'certificate' },
  merchant: { downloadKeys: true, platformKeys: [] },
  jobs: true,
} as const

test('with key download on, a merchant without any key learns the platform certificate and is paid', async () => {
  await using world = await openTestWorld(withoutKeys)
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  await expect.poll(async () => (await phone.subscription()).remaining_days).toBe(30)
})

test('an unknown serial is refused at once, asks for one download, and the repeat finds the key', async () => {
  await using world = await openTestWorld({ ...withoutKeys, merchant: { downloadKeys: true } })
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  const outTradeNo = purchase.order.out_trade_no
  world.platform.rotateCertificate()

  const refused = await Promise.all(
    [1, 2, 3].map(() => world.platform.deliver(world.platform.notification(outTradeNo))),
  )
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401])
  const redeliver = async () => (await world.platform.deliver(world.platform.notification(outTradeNo))).status
  await expect.poll(redeliver, { interval: 500 }).toBe(204)
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('without key download a stranger’s serial makes us call nobody', async () => {
  await using world = await openTestWorld({ jobs: true })
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  const stranger = world.platform.notification(purchase.order.out_trade_no, { serial: 'PUB_KEY_ID_0' })
  expect((await world.platform.deliver(stranger)).status).toBe(401)
  expect(await world.query('SELECT 1 FROM key_refreshes')).toEqual([])
  expect(world.platform.requests.filter(({ path }) => path.includes('/v3/certificates'))).toEqual([])
})

test('a download asked for moments too early is asked for again as soon as the shared minute is over', async () => {
  await using world = await openTestWorld({ ...withoutKeys, merchant: { downloadKeys: true }, jobs: false })
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { silent: true })
  world.platform.rotateCertificate()
  // Another replica asked all but two seconds of a minute ago.
  await askForKeys(world.services.database.pool)
  await world.passTime({ seconds: 58 })
  const asksAgain = async () => {
    await world.platform.deliver(world.platform.notification(purchase.order.out_trade_no))
    const [row] = await world.query<{ fresh: boolean }>(
      `SELECT asked_at > business_now() - interval '30 seconds' AS fresh FROM key_refreshes`,
    )
    return row?.fresh
  }
  expect(await asksAgain()).toBe(false)
  await expect.poll(asksAgain, { interval: 300, timeout: 15_000 }).toBe(true)
})

test('a downloaded certificate ends at its end in every process, also where nothing was downloaded since', async () => {
  await using world = await openTestWorld({ ...withoutKeys, jobs: false })
  const { payments, database, runtime } = world.services
  if (!payments) throw new Error('this world pays')
  await refreshKeys(database.pool, payments)
  await using replica = await secondInstance(world)
  await expect.poll(() => replica.services.payments?.keyReport().keys.length).toBe(1)
  const purchase = await (await world.phone()).buys()
  await world.platform.pay(purchase.order.out_trade_no, { silent: true })
  const answers = () =>
    Promise.all(
      [world.url, replica.url].map(async (url) => {
        const notification = world.platform.notification(purchase.order.out_trade_no)
        const { status } = await world.platform.deliver({
          ...notification,
          url: `${url}/api/v1/payment/notify`,
        })
        return status
      }),
    )
  const [certificate] = payments.keyReport().keys
  const leftMs = (certificate?.expiresAt?.getTime() ?? 0) - runtime.now().getTime()

  await world.passTime({ seconds: leftMs / 1000 - 60 })
  expect(await answers()).toEqual([204, 204])
  await world.passTime({ seconds: 120 })
  expect(await answers()).toEqual([401, 401])
  for (const process of [payments, replica.services.payments]) expect(process?.keyReport().keys).toEqual([])
})
