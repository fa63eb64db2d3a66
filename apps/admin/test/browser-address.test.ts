import { describe, expect, test } from 'vitest'
import { browserAddressReader } from '../src/server/http-servers.ts'

describe('the browser’s address', () => {
  test('is the socket’s when no proxy is trusted, whatever the request claims', () => {
    const addressOf = browserAddressReader([])
    expect(addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(addressOf('::ffff:203.0.113.7', undefined)).toBe('203.0.113.7')
  })

  test('is the last one before the trusted proxies', () => {
    const addressOf = browserAddressReader(['10.0.0.0/8', 'fd00::/8'])
    expect(addressOf('10.0.0.1', '198.51.100.1, 203.0.113.7, 10.9.9.9')).toBe('203.0.113.7')
    expect(addressOf('fd00::1', '203.0.113.7')).toBe('203.0.113.7')
  })

  test('has one spelling, whatever the proxy writes', () => {
    const addressOf = browserAddressReader(['10.0.0.0/8'])
    expect(addressOf('::ffff:10.0.0.1', '203.0.113.7:5123, ::ffff:a00:1')).toBe('203.0.113.7')
    expect(addressOf('10.0.0.1', '2001:DB8::0001')).toBe('2001:db8::1')
  })

  test('stops at the proxy when what it forwards is no address', () => {
    expect(browserAddressReader(['10.0.0.0/8'])('10.0.0.1', 'unknown')).toBe('10.0.0.1')
  })
})
