import { createHmac, randomUUID } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import {
  createClient,
  isProblem,
  type Outcome,
  onFetch,
  type Phone,
  type PhoneRequest,
} from '@meridian/miniprogram-client'
import { afterEach, describe, expect, test } from 'vitest'
// @boundaries-ignore the sample is no package, and what it does is tested here
import { askWearable, type Radio } from '../../../../examples/miniprogram/miniprogram/wearable.ts'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { randomFrom } from '../interface/malformed/random.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { newSerial, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()

afterEach(() => world.platform.faults.clear())

type Sheet = Phone['requestPayment']
type Equipment = {
  openid?: string
  /** What happens between the phone and the API. */
  request?: (send: Phone['request']) => Phone['request']
  sheet?: (pays: Sheet) => Sheet
}

/** Somebody's phone with the client on it; its pauses are a twentieth of what they would be. */
function unlock({
  openid = `o${randomUUID()}`,
  request = (send) => send,
  sheet = (pays) => pays,
}: Equipment = {}) {
  const calls: PhoneRequest[] = []
  const charged: string[] = []
  const pays: Sheet = async (params) => {
    await world.platform.requestPayment(params, { openid })
    charged.push(params.package)
    return 'paid'
  }
  const phone = onFetch({
    fetch: (url, init) => fetch(url, init),
    wait: (ms) => scheduler.wait(ms / 20),
    loginCode: async () => world.platform.loginCode(openid),
    requestPayment: sheet(pays),
  })
  const send = request(phone.request)
  const counted: Phone = {
    ...phone,
    request: (one) => {
      calls.push(one)
      return send(one)
    },
  }
  const callsOf = (path: string) => calls.filter(({ url }) => url.includes(path))
  return {
    openid,
    charged,
    callsOf,
    phone: counted,
    client: createClient({ baseUrl: world.url, phone: counted }),
  }
}

const monthly = { code: 'monthly', price_fen: 2900 }
const yearly = { code: 'yearly', price_fen: 26_800 }
const loseNotifications = () => world.platform.faults.add({ kind: 'drop', at: 'notification' })
const paidOrders = async (openid: string) =>
  (
    await world.query(
      `SELECT 1 FROM orders o JOIN users u ON u.id = o.user_id WHERE u.openid = $1 AND o.status = 'paid'`,
      [openid],
    )
  ).length

/** This often in a row a request of this path gets no answer: lost on the way there, or on the way back. */
const losing =
  (path: string, times: number, reaches: 'unsent' | 'unanswered') =>
  (send: Phone['request']): Phone['request'] => {
    let left = times
    return async (request) => {
      if (!request.url.includes(path) || left === 0) return send(request)
      left -= 1
      if (reaches === 'unanswered') await send(request)
      throw new Error('the network is gone')
    }
  }

describe('a payment', () => {
  test('is confirmed by looking at the order, and the subscription is there', async () => {
    const { client, callsOf } = unlock()
    const { plans, sale, builtIn } = await client.plans()
    expect([plans.map(({ code }) => code), sale.allowed, builtIn]).toEqual([
      ['monthly', 'quarterly', 'yearly'],
      true,
      false,
    ])
    expect(await client.pay(monthly)).toMatchObject({
      kind: 'paid',
      order: { status: 'paid', amount_fen: 2900 },
      subscription: { is_active: true, remaining_days: 30 },
    })
    expect(callsOf('/sync')).toEqual([])
    expect(await client.resume()).toBe(null)
  })

  test('whose notification is lost is confirmed by one sync', async () => {
    loseNotifications()
    const { client, callsOf } = unlock()
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid', subscription: { remaining_days: 30 } })
    expect(callsOf('/sync')).toHaveLength(1)
  })

  test('that nobody can confirm now is pending, and paid when the mini-program is opened again', async () => {
    loseNotifications()
    world.platform.faults.add({ kind: 'error_before', at: 'query', status: 403 })
    const { client, phone, charged } = unlock()
    expect(await client.pay(monthly)).toMatchObject({ kind: 'pending' })
    world.platform.faults.clear()
    const reopened = createClient({ baseUrl: world.url, phone })
    expect(await reopened.resume()).toMatchObject({ kind: 'paid', subscription: { remaining_days: 30 } })
    expect(charged).toHaveLength(1)
  })

  test('that is tapped again while it is pending is not paid twice', async () => {
    loseNotifications()
    world.platform.faults.add({ kind: 'error_before', at: 'query', status: 403 })
    const { client, charged, openid } = unlock()
    await client.pay(monthly)
    world.platform.faults.clear()
    await world.platform.resend([...world.platform.orders.keys()].at(-1) ?? '')
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
    expect([charged.length, await paidOrders(openid)]).toEqual([1, 1])
  })

  test('that is pending is settled before another plan is paid', async () => {
    loseNotifications()
    world.platform.faults.add({ kind: 'error_before', at: 'query', status: 403 })
    const { client, charged } = unlock()
    await client.pay(monthly)
    world.platform.faults.clear()
    expect(await client.pay(yearly)).toMatchObject({ kind: 'paid', order: { plan: { code: 'monthly' } } })
    expect(charged).toHaveLength(1)
  })

  test('that is cancelled is the same order when it is paid later', async () => {
    let patience = 0
    const { client, openid } = unlock({
      sheet: (pays) => async (params) => (patience++ === 0 ? 'cancelled' : pays(params)),
    })
    const cancelled = await client.pay(monthly)
    expect(cancelled).toMatchObject({ kind: 'cancelled' })
    expect(await client.resume()).toBe(null)
    const paid = await client.pay(monthly)
    expect(paid).toMatchObject({
      kind: 'paid',
      order: { out_trade_no: 'outTradeNo' in cancelled && cancelled.outTradeNo },
    })
    expect(await paidOrders(openid)).toBe(1)
  })

  test.each(['cancelled', 'unclear'] as const)(
    'of which the sheet says "%s" is paid all the same when it is',
    async (said) => {
      const { client } = unlock({
        sheet: (pays) => async (params) => {
          await pays(params)
          return said
        },
      })
      expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
    },
  )

  test('of a closed order goes on with a new one', async () => {
    let patience = 0
    const { client } = unlock({
      sheet: (pays) => async (params) => (patience++ === 0 ? 'cancelled' : pays(params)),
    })
    const cancelled = await client.pay(monthly)
    await client.orders.cancel('outTradeNo' in cancelled ? cancelled.outTradeNo : '')
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
  })
})

describe('a purchase', () => {
  test.each(['unsent', 'unanswered'] as const)(
    'that is %s is sent again with its key, and is one order',
    async (reaches) => {
      const { client, callsOf, openid } = unlock({ request: losing('/purchase', 2, reaches) })
      expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
      expect(new Set(callsOf('/purchase').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      expect(
        await world.query('SELECT 1 FROM orders o JOIN users u ON u.id = o.user_id WHERE u.openid = $1', [
          openid,
        ]),
      ).toHaveLength(1)
    },
  )

  test('while the phone is offline says so, and keeps its key for the next attempt', async () => {
    const { client, callsOf } = unlock({ request: losing('/purchase', 3, 'unanswered') })
    const problem = await client.pay(monthly).catch((error: unknown) => error)
    expect(isProblem(problem, 'unreachable')).toBe(true)
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
    expect(new Set(callsOf('/purchase').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('waits until the payment platform is back', async () => {
    world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 403, times: 2 })
    expect(await unlock().client.pay(monthly)).toMatchObject({ kind: 'paid' })
  })

  test('at a price that is no longer the price charges nothing and says so', async () => {
    const { client, charged } = unlock()
    const problem = await client.pay({ code: 'monthly', price_fen: 2800 }).catch((error: unknown) => error)
    expect(isProblem(problem, 'price_changed')).toBe(true)
    expect(charged).toEqual([])
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid' })
  })

  test('shows the built-in prices when the plans cannot be read, and charges what it showed', async () => {
    const { client } = unlock({ request: losing('/plans', 9, 'unsent') })
    const { plans, builtIn } = await client.plans()
    expect([builtIn, plans.map(({ price_fen }) => price_fen)]).toEqual([true, [2900, 7900, 26_800]])
    const [first] = plans
    expect(first && (await client.pay(first))).toMatchObject({ kind: 'paid', order: { amount_fen: 2900 } })
  })
})

describe('the session', () => {
  const expireTokens = (phone: Phone, alsoRefresh = false) => {
    const tokens = JSON.parse(phone.storage.read('meridian.tokens') ?? '{}')
    const worn = { ...tokens, access_token: 'worn', ...(alsoRefresh && { refresh_token: 'worn' }) }
    phone.storage.write('meridian.tokens', JSON.stringify(worn))
  }

  test('is opened once by the first calls, however many there are', async () => {
    const { client, callsOf } = unlock()
    await Promise.all([client.subscription(), client.account.get(), client.orders.list()])
    expect(callsOf('/auth/login')).toHaveLength(1)
  })

  test('is refreshed once and silently when its token is worn out, however many calls find it so', async () => {
    const { client, phone, callsOf } = unlock()
    await client.subscription()
    expireTokens(phone)
    await Promise.all([1, 2, 3, 4].map(() => client.subscription()))
    expect([callsOf('/auth/refresh').length, callsOf('/auth/login').length]).toEqual([1, 1])
  })

  test('is opened anew and silently when not even its refresh token is worth anything', async () => {
    const { client, phone, callsOf } = unlock()
    await client.subscription()
    expireTokens(phone, true)
    await Promise.all([1, 2, 3].map(() => client.subscription()))
    expect([callsOf('/auth/refresh').length, callsOf('/auth/login').length]).toEqual([1, 2])
  })

  test('goes on when the answer to a refresh was lost', async () => {
    const { client, phone, callsOf } = unlock({ request: losing('/auth/refresh', 1, 'unanswered') })
    await client.subscription()
    expireTokens(phone)
    expect(await client.subscription()).toMatchObject({ is_active: false })
    expect(callsOf('/auth/login')).toHaveLength(1)
  })

  test('stays closed after a logout until the user logs in', async () => {
    const { client } = unlock()
    await client.logIn()
    await client.logOut()
    const problem = await client.subscription().catch((error: unknown) => error)
    expect(isProblem(problem, 'unauthenticated')).toBe(true)
    await client.logIn()
    expect(await client.subscription()).toMatchObject({ is_active: false })
  })

  test('of a disabled user says so in their language', async () => {
    const { phone, openid } = unlock()
    const client = createClient({ baseUrl: world.url, phone, language: 'en' })
    await client.logIn()
    await world.query('UPDATE users SET disabled_at = now() WHERE openid = $1', [openid])
    const problem = await client.subscription().catch((error: unknown) => error)
    expect(isProblem(problem, 'user_disabled') && [problem.status, problem.title]).toEqual([
      403,
      'This account is disabled',
    ])
  })
})

/** What a device makes of the bytes that reach it. */
const signed = (secret: string, bytes: ArrayBuffer): ArrayBuffer =>
  Uint8Array.from(createHmac('sha256', secret).update(Buffer.from(bytes)).digest()).buffer

test('the wearable of the example proves that it is at hand', async () => {
  const { client } = unlock()
  const { serialNumber, secret } = await plantWearable(world)
  let notify: Parameters<Radio['onBLECharacteristicValueChange']>[0] = () => undefined
  const radio: Radio = {
    onBLECharacteristicValueChange: (listen) => {
      notify = listen
    },
    writeBLECharacteristicValue: ({ characteristicId, value }) =>
      notify({ characteristicId, value: signed(secret, value) }),
  }
  const { nonce } = await client.devices.challenge(serialNumber)
  const proof = await askWearable(radio, 'A0:B1', nonce)
  expect(await client.devices.bind({ serial_number: serialNumber, proof })).toMatchObject({
    serial_number: serialNumber,
  })
})

test('devices, reports, the configuration and the account are within reach', async () => {
  const { client } = unlock()
  const wearable = await plantWearable(world)
  const { nonce } = await client.devices.challenge(wearable.serialNumber)
  const device = await client.devices.bind({
    serial_number: wearable.serialNumber,
    proof: wearable.prove(nonce),
  })
  await client.devices.bind({ serial_number: newSerial() })
  expect((await client.devices.list({ limit: 1 })).items).toHaveLength(1)
  expect(await client.devices.unbind(device.serial_number)).toEqual([device])
  expect(await client.devices.unbind()).toHaveLength(1)

  const report = await client.reports.store({
    client_report_id: randomUUID(),
    kind: 'scan',
    started_at: '2026-11-20T08:00:00Z',
    ended_at: '2026-11-20T08:05:00Z',
    summary: {},
    measurements: [],
  })
  expect((await client.reports.list({ kind: 'scan' })).items).toMatchObject([{ id: report.id }])
  expect(await client.reports.get(report.id)).toEqual(report)
  await client.reports.delete(report.id)
  const gone = await client.reports.get(report.id).catch((error: unknown) => error)
  expect(isProblem(gone, 'report_not_found')).toBe(true)

  expect(await client.diagnosisConfig()).toMatchObject({ version: 1 })
  expect(await client.account.get()).toMatchObject({ nickname: null })
})

// The journey with injected faults -------------------------------------------------------------------------------

/** A network that loses requests and answers, is slow, and has a proxy that is often at its limit. */
function badNetwork(seed: number, isBad: () => boolean) {
  const random = randomFrom(seed)
  return (send: Phone['request']): Phone['request'] =>
    async (request) => {
      if (!isBad()) return send(request)
      if (random.chance(0.15)) throw new Error('lost on the way there')
      if (random.chance(0.1)) return { status: 503, headers: {}, body: '<html>busy</html>' }
      await scheduler.wait(random.below(30))
      const answer = await send(request)
      if (random.chance(0.15)) throw new Error('lost on the way back')
      return random.chance(0.05) ? { status: 502, headers: {}, body: '' } : answer
    }
}

/** The platform's faults of one hour: there are always some, and some of them hit whoever comes next. */
const stormyHour = [
  { kind: 'drop', at: 'notification', times: 6 },
  { kind: 'delay', at: 'notification', ms: 300, times: 6 },
  { kind: 'error_before', at: 'prepay', times: 4 },
  { kind: 'error_after', at: 'prepay', times: 4 },
  { kind: 'error_before', at: 'query', status: 403, times: 8 },
  { kind: 'drop', at: 'query', times: 3 },
  { kind: 'error_before', at: 'close', status: 403, times: 3 },
] as const

const changePrice = (fen: number) =>
  world.query(`UPDATE plans SET price_fen = $1 WHERE code = 'monthly'`, [fen])

/** The time to pay of every order runs out, here and on the platform; the sweep may come at once, or be late. */
async function expireOrders(isSwept: () => boolean): Promise<void> {
  const unpaid = await world.query<{ no: string }>(
    `SELECT out_trade_no AS no FROM orders WHERE status IN ('created', 'prepay') AND expires_at > business_now()`,
  )
  await world.passTime({ hours: 1 })
  const swept = unpaid.filter(isSwept)
  await Promise.all(
    swept.map(({ no }) => sweepOrder(world.services, { outTradeNo: no, attempt: 0 }).catch(() => null)),
  )
}

test('with any faults, at any price and however late, nobody is told that a payment failed that succeeded, and nobody pays twice', async () => {
  const kinds = ['pending', 'cancelled', 'refused']
  const told: Record<string, number> = {}
  /** Somebody new; each turn they try once, and answer whether they have paid. */
  const buyer = (seed: number) => {
    let bad = true
    const random = randomFrom(seed + 1000)
    const { client, charged, openid } = unlock({
      request: badNetwork(seed, () => bad),
      sheet: (pays) => async (params) => {
        if (random.chance(0.4)) return random.pick(['cancelled', 'unclear', 'unclear'], 'unclear')
        await pays(params)
        return random.pick(['paid', 'paid', 'unclear', 'cancelled'], 'paid')
      },
    })
    const tries = async (turn: number) => {
      bad = turn < 4
      const { plans } = await client.plans()
      if (random.chance(0.2)) await changePrice(random.pick([2900, 3900, 4900], 2900))
      const [plan = monthly] = plans
      const outcome: Outcome | null | 'refused' = await (random.chance(0.4)
        ? client.resume()
        : client.pay(plan)
      ).catch((error: unknown) => {
        if (!isProblem(error)) throw error
        return 'refused'
      })
      const kind = outcome === null || outcome === 'refused' ? 'refused' : outcome.kind
      told[kind] = (told[kind] ?? 0) + 1
      // Whatever says that nothing was paid is true.
      if (kind !== 'pending') expect([kind, charged.length]).toEqual([kind, kind === 'paid' ? 1 : 0])
      return kind === 'paid'
    }
    const hasPaidOnce = async () => {
      bad = false
      expect([charged.length, await paidOrders(openid)]).toEqual([1, 1])
      expect(await client.subscription()).toMatchObject({ is_active: true, remaining_days: 30 })
    }
    return { tries, hasPaidOnce }
  }
  /** Eight at a time, turn by turn: between two turns an hour may pass for all of them. */
  const buyTogether = async (seed: number) => {
    const random = randomFrom(seed + 2000)
    let trying = Array.from({ length: 8 }, (_, n) => buyer(seed + n))
    for (let turn = 0; turn < 60 && trying.length > 0; turn += 1) {
      const turns = await Promise.all(trying.map(async (one) => ({ one, paid: await one.tries(turn) })))
      await Promise.all(turns.filter(({ paid }) => paid).map(({ one }) => one.hasPaidOnce()))
      trying = turns.filter(({ paid }) => !paid).map(({ one }) => one)
      if (random.chance(0.4)) await expireOrders(() => random.chance(0.5))
    }
    await Promise.all(trying.map((one) => one.hasPaidOnce()))
  }
  // Whom a fault hits is a matter of the moment: more come until everything was told more than twice.
  const isRare = (kind: string) => (told[kind] ?? 0) <= 2
  let buyers = 0
  while (buyers < 40 || (buyers < 160 && kinds.some(isRare))) {
    world.platform.faults.set(stormyHour)
    await buyTogether(buyers)
    buyers += 8
  }
  await changePrice(monthly.price_fen)
  expect(told['paid']).toBe(buyers)
  expect(kinds.filter(isRare)).toEqual([])
})
