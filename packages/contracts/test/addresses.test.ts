import { describe, expect, test } from 'vitest'
import { isProxyNetwork, networkOf, plainAddress, proxyReader } from '../src/addresses.ts'

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7:8080 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s has one spelling, %s', (text, plain) => {
    expect(plainAddress(text)).toBe(plain)
  })

  test.each(['', 'unknown', '1.2.3', '0x7f.1', '010.0.0.1.1', 'example.com', ':::'])(
    '"%s" is none',
    (text) => {
      expect(plainAddress(text)).toBe(null)
      expect(networkOf(text)).toBe('unknown')
    },
  )

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ])('%s counts as %s', (text, network) => {
    expect(networkOf(text)).toBe(network)
  })
})

describe('a trusted proxy', () => {
  test.each([
    '10.0.0.1',
    '10.0.0.0/8',
    '127.0.0.1/32',
    '2001:db8::/32',
    '::1',
    '::ffff:10.0.0.0/104',
    'fd00::/8',
  ])('may be %s', (text) => {
    expect(isProxyNetwork(text)).toBe(true)
  })

  test.each([
    '0.0.0.0/0',
    '10.0.0.0/0',
    '::/0',
    '::ffff:0:0/96',
    '::/1',
    '::ffff:0.0.0.0/96',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0:80/8',
    'proxy.example.com',
    '',
  ])('is never "%s"', (text) => {
    expect(isProxyNetwork(text)).toBe(false)
  })

  test('is recognised by any spelling of its address', () => {
    const isProxy = proxyReader(['10.0.0.0/8', '2001:db8::/32', '::ffff:192.0.2.0/120'])
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:5::1', '192.0.2.9'])
      expect(isProxy(address)).toBe(true)
    for (const address of ['11.0.0.1', '2001:db9::1', '::1', 'unknown', ''])
      expect(isProxy(address)).toBe(false)
  })
})
