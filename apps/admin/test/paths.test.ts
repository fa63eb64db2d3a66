import { describe, expect, test } from 'vitest'
import { paths } from '../src/paths.ts'
import { safeReturnPath } from '../src/session/sign-in.ts'

describe('an address', () => {
  test('of the order list carries only what differs from the plain list', () => {
    expect(paths.orders()).toBe('/orders')
    expect(paths.orders({ sort: 'newest', status: null })).toBe('/orders')
    expect(paths.orders({ status: 'paid', min_fen: 100, q: 'a b' })).toBe(
      '/orders?status=paid&min_fen=100&q=a+b',
    )
  })

  test('of sign-in remembers where the operator was going', () => {
    expect(paths.signIn('/orders?status=paid')).toBe('/sign-in?next=%2Forders%3Fstatus%3Dpaid')
    expect(paths.signIn('/')).toBe('/sign-in')
    expect(paths.signIn(null)).toBe('/sign-in')
  })
})

describe('a return path', () => {
  test.each(['/orders', '/orders?status=paid&q=M01', '/orders/M01?tab=a'])(
    'inside the console is kept: %s',
    (path) => {
      expect(safeReturnPath(path, '/home')).toBe(path)
    },
  )

  test.each([
    'https://evil.example/',
    '//evil.example/orders',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'orders',
    '',
    null,
    undefined,
    '/api/auth/signout',
    '/sign-in?next=/orders',
  ])('that leads elsewhere becomes the home page: %s', (path) => {
    expect(safeReturnPath(path, '/home')).toBe('/home')
  })
})
