import { describe, expect, test } from 'vitest'
import { isForeign } from '../src/api-client/incoming-request.ts'

const own = 'https://console.example'
const from = (method: string, origin: string | null, fetchSite: string | null) =>
  isForeign({ method, origin, fetchSite }, own)

describe('a request for data', () => {
  test('from our own page is let in', () => {
    expect(from('POST', own, 'same-origin')).toBe(false)
    expect(from('GET', null, 'same-origin')).toBe(false)
    expect(from('GET', null, 'none')).toBe(false)
  })

  test('of an older browser, which sends only one of the headers, is let in', () => {
    expect(from('POST', own, null)).toBe(false)
    expect(from('GET', null, null)).toBe(false)
  })

  test.each([
    ['GET', 'https://evil.example', null],
    ['GET', null, 'cross-site'],
    ['GET', null, 'same-site'],
    ['POST', 'https://evil.example', 'same-origin'],
    ['POST', 'http://console.example', null],
    ['POST', 'null', 'cross-site'],
    ['POST', own, 'same-site'],
  ])('from another site is refused: %s %s %s', (method, origin, fetchSite) => {
    expect(from(method, origin, fetchSite)).toBe(true)
  })

  test('with an effect is refused when nothing shows where it comes from', () => {
    expect(from('POST', null, null)).toBe(true)
    expect(from('POST', null, 'none')).toBe(true)
  })
})
