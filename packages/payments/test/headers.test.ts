import { describe, expect, it } from 'vitest'
import { headerLookup } from '../src/notification/read-notification.ts'
import { PaymentsError } from '../src/payments-error.ts'
import { readSignatureHeaders } from '../src/signature.ts'

describe('a header', () => {
  it.each([
    ['in small letters', { 'wechatpay-nonce': 'n' }, 'n'],
    ['in any letters', { 'Wechatpay-Nonce': 'n' }, 'n'],
    ['in a list of one', { 'wechatpay-nonce': ['n'] }, 'n'],
    ['that is absent', { other: 'n' }, undefined],
    ['that has no value', { 'wechatpay-nonce': undefined, 'Wechatpay-Nonce': 'n' }, 'n'],
    ['that is given twice', { 'wechatpay-nonce': ['n', 'm'] }, undefined],
    [
      'that is given twice in different letters',
      { 'Wechatpay-Nonce': 'n', 'WECHATPAY-NONCE': 'm' },
      undefined,
    ],
    ['whose list is empty', { 'Wechatpay-Nonce': [] }, undefined],
  ])('%s is looked up accordingly', (_, headers, value) => {
    expect(headerLookup(headers)('wechatpay-nonce')).toBe(value)
  })
})

describe('the headers of a signature', () => {
  const good = {
    'wechatpay-timestamp': '1767225600',
    'wechatpay-nonce': 'n',
    'wechatpay-signature': 's',
    'wechatpay-serial': 'k',
  }
  const reasonOf = (headers: Record<string, string>) => {
    try {
      readSignatureHeaders(headerLookup(headers))
      return null
    } catch (error) {
      return error instanceof PaymentsError ? error.reason : error
    }
  }

  it('are the four, with the type where it is named', () => {
    const read = (headers: Record<string, string>) => readSignatureHeaders(headerLookup(headers))
    expect(read(good)).toEqual({
      timestamp: '1767225600',
      nonce: 'n',
      signature: 's',
      serial: 'k',
      type: null,
    })
    expect(read({ ...good, 'wechatpay-signature-type': 'X' }).type).toBe('X')
  })
  it.each(Object.keys(good))('are missing where %s is empty', (name) => {
    expect(reasonOf({ ...good, [name]: '' })).toBe('headers_missing')
  })
  it.each([
    ['wechatpay-timestamp', '1'.repeat(13)],
    ['wechatpay-timestamp', ' 1767225600'],
    ['wechatpay-timestamp', '1767225600x'],
    ['wechatpay-nonce', 'n'.repeat(129)],
    ['wechatpay-nonce', 'n\nm'],
    ['wechatpay-nonce', 'é'],
  ])('are malformed where %s is %j', (name, value) => {
    expect(reasonOf({ ...good, [name]: value })).toBe('headers_missing')
  })
  it.each([
    ['wechatpay-timestamp', '1'.repeat(12)],
    ['wechatpay-nonce', `${'n'.repeat(127)} `],
  ])('hold where %s is at its longest', (name, value) => {
    expect(reasonOf({ ...good, [name]: value })).toBeNull()
  })
})
