import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFen, parseYuan } from '../src/index.ts'

describe('money', () => {
  test.each([
    [0, '¥0.00'],
    [5, '¥0.05'],
    [2900, '¥29.00'],
    [123_450, '¥1,234.50'],
    [100_000_000, '¥1,000,000.00'],
    [-2900, '−¥29.00'],
  ])('%d fen is shown as %s', (fen, shown) => {
    expect(formatFen(fen)).toBe(shown)
  })

  test.each(['', '1.234', '-1', 'abc', '1e3', '1.', '.5', '٣', '1 2'])('%j is no amount', (text) => {
    expect(parseYuan(text)).toBeNull()
  })

  test('what is shown reads back as the same number of fen', () => {
    const anyAmount = fc.integer({ min: 0, max: 100_000_000 })
    fc.assert(fc.property(anyAmount, (fen) => parseYuan(formatFen(fen).slice(1)) === fen))
  })
})
