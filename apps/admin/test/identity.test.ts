import { describe, expect, test } from 'vitest'
import { createStepUp } from '../src/api-client/api-provider.tsx'
import { cookieName, isSecure, preferenceCookie } from '../src/cookies.ts'
import { listChanges } from '../src/features/audit/entry-words.ts'
import { describeHit, exactHit, isSearchable, pageOfNumber } from '../src/features/palette/hits.ts'
import { jumps, navigation } from '../src/features/shell/navigation.ts'
import { sessionCookieName } from '../src/session/read-cookies.ts'

describe('the cookie of the session', () => {
  test('is Secure and bound to the host wherever the console is not on loopback', () => {
    expect(isSecure('https://console.example.com')).toBe(true)
    expect(sessionCookieName('https://console.example.com')).toBe('__Host-meridian.session')
  })

  test('works on plain http of the own machine', () => {
    expect(isSecure('http://127.0.0.1:3000')).toBe(false)
    expect(sessionCookieName('http://127.0.0.1:3000')).toBe('meridian.session')
  })
})

describe('the cookie of a preference', () => {
  const cookies = ['meridian.language', 'meridian.theme', 'meridian.scheme']

  test.each(cookies)('%s is Secure and bound to the host where the console has TLS', (name) => {
    expect(preferenceCookie(name, 'zh-CN', 'https://console.example.com')).toBe(
      `__Host-${name}=zh-CN; Path=/; Max-Age=31536000; SameSite=Lax; Secure`,
    )
    expect(cookieName(name, 'https://console.example.com')).toBe(`__Host-${name}`)
  })

  test.each(cookies)('%s works on plain http', (name) => {
    expect(preferenceCookie(name, 'dark', 'http://127.0.0.1:3000')).toBe(
      `${name}=dark; Path=/; Max-Age=31536000; SameSite=Lax`,
    )
  })
})

describe('the question for the second factor', () => {
  test('is put once, however many calls wait for its answer', async () => {
    const stepUp = createStepUp()
    const seen: (string | null)[] = []
    stepUp.subscribe(() => seen.push(stepUp.demand()))
    const answers = Promise.all([stepUp.ask('step_up_required'), stepUp.ask('step_up_required')])
    expect(stepUp.demand()).toBe('step_up_required')
    stepUp.settle(true)
    expect(await answers).toEqual([true, true])
    expect(stepUp.demand()).toBeNull()
    expect(seen.at(-1)).toBeNull()
  })

  test('can be declined, and is put anew the next time', async () => {
    const stepUp = createStepUp()
    const first = stepUp.ask('second_factor_required')
    stepUp.settle(false)
    expect(await first).toBe(false)
    void stepUp.ask('step_up_required')
    expect(stepUp.demand()).toBe('step_up_required')
  })
})

describe('what an act changed', () => {
  test('is listed field by field, by path where it is nested', () => {
    expect(listChanges({ role: 'viewer', same: 1 }, { role: 'owner', same: 1, rule: { ios: true } })).toEqual(
      [
        { field: 'role', before: 'viewer', after: 'owner', isChanged: true },
        { field: 'same', before: '1', after: '1', isChanged: false },
        { field: 'rule.ios', before: null, after: 'true', isChanged: true },
      ],
    )
  })

  test('is nothing where nothing was recorded', () => {
    expect(listChanges(null, null)).toEqual([])
  })
})

describe('the search from anywhere', () => {
  test('knows the page of a whole number, alone or within a message, and asks for nothing shorter than a name', () => {
    const order = 'M01ARZ3NDEKTSV4RRFFQ69G5FAV'
    expect(pageOfNumber(` ${order.toLowerCase()} `)).toBe(`/orders/${order}`)
    expect(pageOfNumber(`您好，订单号${order}，请退款`)).toBe(`/orders/${order}`)
    expect(pageOfNumber('R01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('/refunds/R01ARZ3NDEKTSV4RRFFQ69G5FAV')
    expect(pageOfNumber('M01')).toBeNull()
    expect(isSearchable('小明')).toBe(true)
    expect(isSearchable('S')).toBe(false)
  })

  test('leads from each hit to its page', () => {
    const userId = '0198c0de-0000-7000-8000-000000000001'
    const order = {
      kind: 'order',
      matched: 'order_number',
      outTradeNo: 'M1',
      status: 'paid',
      channel: 'jsapi',
      amountFen: 1,
      planName: 'x',
      payer: '小***',
      paidOn: '2026-11-20',
      createdOn: '2026-11-20',
    } as const
    const refund = {
      kind: 'refund',
      matched: 'refund_number',
      outRefundNo: 'R1',
      status: 'succeeded',
      amountFen: 1,
    } as const
    const user = { kind: 'user', matched: 'nickname', userId, nickname: '小***', isDisabled: false } as const
    const device = { kind: 'device', matched: 'serial_number', serialNumber: 'SN-1', model: null } as const
    const hits = [order, refund, user, device]
    expect(hits.map((hit) => describeHit(hit).href)).toEqual([
      '/orders/M1',
      '/refunds/R1',
      `/users/${userId}`,
      '/devices/SN-1',
    ])
    expect(exactHit(hits, `user ${userId.toUpperCase()}?`)).toEqual(user)
    expect(exactHit(hits, 'sn-1')).toEqual(device)
  })

  test('has a letter of its own for each page that can have one', () => {
    const letters = jumps('owner').map(({ letter }) => letter)
    // It begins a note on the page where one is.
    expect(letters).not.toContain('n')
    expect(letters).not.toContain('t')
    expect(new Set(letters).size).toBe(letters.length)
    // All that are left, where pages are more than letters: the last of the table is found by its name.
    expect(letters.length).toBe(Math.min(navigation.length, 26 - ['g', 'n', 't'].length))
    expect(jumps('owner').find(({ key }) => key === 'orders')?.letter).toBe('o')
  })
})
