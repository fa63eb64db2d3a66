import { expect, test } from 'vitest'
import { createClient, type Phone } from '../src/index.ts'
import { subscription } from './full-answers.ts'

/** A phone that keeps this under every key of the client, and an API that knows the tokens of a new login alone. */
function withStored(stored: string | null | (() => never)) {
  const kept = new Map<string, string | null>()
  let logins = 0
  const phone: Phone = {
    platform: 'other',
    wait: async () => undefined,
    loginCode: async () => 'code',
    requestPayment: async () => 'cancelled',
    storage: {
      read: (key) => {
        if (kept.has(key)) return kept.get(key) ?? null
        return typeof stored === 'function' ? stored() : stored
      },
      write: (key, value) => void kept.set(key, value),
    },
    request: async ({ url, headers }) => {
      if (url.endsWith('/auth/login')) {
        logins += 1
        return { status: 200, headers: {}, body: { access_token: 'new', refresh_token: 'r' } }
      }
      if (url.endsWith('/auth/refresh'))
        return { status: 401, headers: {}, body: { code: 'invalid_refresh_token' } }
      const known = headers['authorization'] === 'Bearer new'
      return known
        ? { status: 200, headers: {}, body: subscription() }
        : { status: 401, headers: {}, body: { code: 'unauthenticated' } }
    },
  }
  return { client: createClient({ baseUrl: 'http://api', phone }), logins: () => logins }
}

const broken: [string, string | (() => never)][] = [
  ['half-written', '{"access_token":"a","refr'],
  ['no JSON', '[object Object]'],
  ['of an old shape', '{"token":"a"}'],
  ['of another kind', '{"access_token":1,"refresh_token":null}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '7'],
  ['empty', ''],
  [
    'out of reach',
    () => {
      throw new Error('getStorageSync:fail')
    },
  ],
]

test.each(broken)('a store that is %s is that of nobody: the next call logs in', async (_, stored) => {
  const { client, logins } = withStored(stored)
  expect(await client.subscription()).toEqual(subscription())
  expect(logins()).toBe(1)
})

test.each(broken)('a store that is %s knows of no payment and bars none', async (_, stored) => {
  const { client } = withStored(stored)
  expect(await client.resume()).toBeNull()
  await client.logOut()
})
