import { randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import { createClient, onFetch, type Phone } from '@meridian/miniprogram-client'
import { VirtualPhoneError } from '@meridian/payments/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestWorld } from '../world/use-opened.ts'
import { openVirtualShop, setPolicy } from '../world/virtual-shop.ts'
import { alertsOf } from '../world/watch.ts'

const world = useTestWorld()
beforeAll(() => openVirtualShop(world))
beforeEach(() => setPolicy(world, { ios: 'virtual', android: 'virtual', other: 'virtual' }))
afterEach(() => world.platform.faults.clear())

const monthly = { code: 'monthly', price_fen: 2900 }

type Handset = { system?: 'android' | 'ios'; old?: boolean; putsAway?: number }

/** Somebody's phone with the client on it: the sheet of the platform, which checks what WeChat checks. */
function unlock({ system = 'android', old = false, putsAway = 0 }: Handset = {}) {
  const openid = `o${randomUUID()}`
  const numbers: string[] = []
  let left = putsAway
  const sheet: NonNullable<Phone['requestVirtualPayment']> = async (params) => {
    try {
      const { number } = world.platform.openSheet(params, { openid, system })
      numbers.push(number)
      if (left > 0) {
        left -= 1
        return -2
      }
      await world.platform.paySheet(number)
      return 0
    } catch (error) {
      if (!(error instanceof VirtualPhoneError)) throw error
      return error.errCode
    }
  }
  const phone: Phone = {
    ...onFetch({
      fetch: (url, init) => fetch(url, init),
      wait: (ms) => scheduler.wait(ms / 20),
      loginCode: async () => world.platform.loginCode(openid),
      requestPayment: async (params) => {
        await world.platform.requestPayment(params, { openid })
        return 'paid'
      },
    }),
    platform: system,
    ...(!old && { requestVirtualPayment: sheet }),
  }
  return { openid, numbers, client: createClient({ baseUrl: world.url, phone }) }
}

describe('the client', () => {
  test.each(['android', 'ios'] as const)('pays virtually on %s with the same call', async (system) => {
    const { client, numbers } = unlock({ system })
    expect((await client.plans()).sale).toMatchObject({ allowed: true, channel: 'virtual' })
    expect(await client.pay(monthly)).toMatchObject({
      kind: 'paid',
      order: { status: 'paid', channel: 'virtual' },
      subscription: { remaining_days: 30 },
    })
    expect(numbers).toHaveLength(1)
  })

  test('pays by the other channel as soon as the server says so', async () => {
    await setPolicy(world, { android: 'jsapi' })
    const { client, numbers } = unlock()
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid', order: { channel: 'jsapi' } })
    expect(numbers).toEqual([])
  })

  test('never takes the success of the sheet for a payment: a lost push is asked about', async () => {
    world.platform.faults.add({ kind: 'drop', at: 'push' })
    expect(await unlock().client.pay(monthly)).toMatchObject({ kind: 'paid' })
  })

  test('may be put away and taken up again, under another number of the same order', async () => {
    const { client, numbers } = unlock({ putsAway: 1 })
    const first = await client.pay(monthly)
    expect(first).toMatchObject({ kind: 'cancelled' })
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
    expect(new Set(numbers).size).toBe(2)
  })

  test('tells of a price that differs, and the operators hear of it', async () => {
    world.platform.plantItem({ id: 'monthly', priceFen: 1 })
    expect(await unlock().client.pay(monthly)).toMatchObject({ kind: 'cancelled' })
    expect(await alertsOf(world, 'virtual_price_differs')).toMatchObject([{ subject: 'monthly' }])
    world.platform.plantItem({ id: 'monthly', priceFen: 2900 })
  })

  test('of an old WeChat is told to update, and is never sold by the other channel', async () => {
    await expect(unlock({ old: true }).client.pay(monthly)).rejects.toMatchObject({
      code: 'channel_not_supported',
      title: expect.stringContaining('更新'),
    })
  })
})
