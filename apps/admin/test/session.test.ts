import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkNewPassword } from '../src/features/session/check-new-password.ts'
import { callerOf, signConsoleToken } from '../src/session/console-token.ts'
import { rolesWith } from '../src/session/operator-context.tsx'
import {
  identityFailureOf,
  pathWithin,
  readReturnedFailure,
  readSignInFailure,
  signInFailureOf,
} from '../src/session/sign-in.ts'

const part = (token: string, index: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())

describe('the console token', () => {
  const secret = 's'.repeat(32)
  const now = new Date('2026-11-20T00:00:00Z')
  const token = signConsoleToken({ address: '203.0.113.7', userAgent: 'Safari' }, { secret, now })

  test('says who asks and holds for a minute', () => {
    const seconds = now.getTime() / 1000
    expect(part(token, 0)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(part(token, 1)).toEqual({
      aud: 'meridian-console',
      iat: seconds,
      exp: seconds + 60,
      address: '203.0.113.7',
      user_agent: 'Safari',
    })
  })

  test('is signed with the secret', () => {
    const [head, claims, signature] = token.split('.')
    expect(signature).toBe(createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url'))
  })
})

describe('the browser behind a request', () => {
  test('is known by the address our server saw, and by a bounded name', () => {
    const headers = new Headers({
      'x-meridian-browser-address': '2001:db8::1',
      'user-agent': 'x'.repeat(999),
    })
    expect(callerOf(headers)).toEqual({ address: '2001:db8::1', userAgent: 'x'.repeat(256) })
  })

  test('has no address that is none', () => {
    expect(callerOf(new Headers({ 'x-meridian-browser-address': 'evil' })).address).toBe('127.0.0.1')
  })
})

describe('a failed sign-in', () => {
  test('tells only what somebody who is not signed in may know', () => {
    expect(signInFailureOf({ code: 'invalid_credentials' })).toBe('invalid_credentials')
    expect(signInFailureOf({ code: 'rate_limited' })).toBe('rate_limited')
    expect(signInFailureOf({ code: 'internal_error' })).toBe('api_unreachable')
    expect(signInFailureOf(null)).toBe('api_unreachable')
  })

  test('is read back from what next-auth reports', () => {
    expect(readSignInFailure('rate_limited')).toBe('rate_limited')
    expect(readSignInFailure('CredentialsSignin')).toBe('invalid_credentials')
    expect(readSignInFailure('anything else')).toBe('api_unreachable')
  })
})

describe('a new password', () => {
  test('is checked before the API is asked', () => {
    expect(checkNewPassword('short', 'old')).toBe('tooShort')
    expect(checkNewPassword('x'.repeat(129), 'old')).toBe('tooLong')
    expect(checkNewPassword('the same old sentence', 'the same old sentence')).toBe('same')
    expect(checkNewPassword('a new long sentence', 'the same old sentence')).toBeNull()
  })
})

test('a forbidden act names the roles that may', () => {
  expect(rolesWith('order.sync')).toEqual(['operator', 'finance', 'owner'])
})

describe('who comes back from the company’s identity provider without a session', () => {
  test.each([
    ['forbidden', 'identity_not_admitted'],
    ['service_unavailable', 'identity_unreachable'],
    ['rate_limited', 'rate_limited'],
    ['invalid_credentials', 'identity_refused'],
    ['step_up_required', 'identity_stale'],
  ] as const)('is told of %s as %s', (code, failure) => {
    expect(identityFailureOf({ code })).toBe(failure)
    expect(readReturnedFailure(failure)).toBe(failure)
  })

  test('is told nothing where nothing is said, and no more than that of what next-auth says', () => {
    expect(identityFailureOf(null)).toBe('api_unreachable')
    expect(readReturnedFailure(undefined)).toBe(null)
    expect(readReturnedFailure('OAuthCallback')).toBe('identity_refused')
  })
})

describe('where somebody wanted to go who comes back from the company', () => {
  const consoleUrl = 'https://console.example.com'
  const home = '/dashboard'

  test.each([
    ['https://console.example.com/orders?status=paid', '/orders?status=paid'],
    ['/step-up?done=yes', '/step-up?done=yes'],
  ])('is a path of this console: %s', (address, path) => {
    expect(pathWithin(consoleUrl, address, home)).toBe(path)
  })

  test.each([
    undefined,
    '',
    'https://evil.example/orders',
    'http://console.example.com/orders',
    '//evil.example/orders',
    'javascript:alert(1)',
    'https://console.example.com/api/auth/signout',
    'https://console.example.com//evil.example',
  ])('is the home where it is none: %s', (address) => {
    expect(pathWithin(consoleUrl, address, home)).toBe(home)
  })
})
