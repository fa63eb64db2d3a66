import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactDecimal } from '../src/bills/bill-text.ts'
import { readTable } from '../src/bills/read-table.ts'
import { strictBase64 } from '../src/cipher.ts'
import { chinaTime } from '../src/endpoints/orders.ts'
import { timeOf } from '../src/read-fields.ts'
import { decimal } from '../src/testing/bill-rows.ts'
import { anyText, numRuns, timeout } from './world/generated-cases.ts'

describe('exactness', { timeout }, () => {
  it('base64 is taken in one spelling only, and in that one always', () => {
    const almost = fc.string({ unit: fc.constantFrom(...'AQgwEx09+/-_= '), maxLength: 24 })
    fc.assert(
      fc.property(fc.oneof(anyText, almost, fc.base64String()), (text) => {
        const lenient = Buffer.from(text, 'base64')
        const decoded = strictBase64(text)
        return lenient.toString('base64') === text ? decoded?.equals(lenient) === true : decoded === null
      }),
      { numRuns },
    )
  })

  it('a decimal text becomes the integer that it is', () => {
    const integer = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
    fc.assert(
      fc.property(integer, fc.integer({ min: 1, max: 5 }), (value, places) => {
        expect(exactDecimal(decimal(value, places), places)).toBe(value)
        expect(exactDecimal(`${decimal(value, places)}0`, places)).toBe(value)
      }),
      { numRuns },
    )
  })

  it('no text makes an amount that is not an exact integer', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = exactDecimal(text, 2)
        return value === null || Number.isSafeInteger(value)
      }),
      { numRuns },
    )
  })

  it('times go to China and back', () => {
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(
        seconds,
        (second) => timeOf(chinaTime(new Date(second * 1000)))?.getTime() === second * 1000,
      ),
      { numRuns },
    )
  })

  it('a time means what the platform of the web says it means', () => {
    const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    const offset = fc.constantFrom('Z', '+08:00', '-03:30', '+00:00')
    fc.assert(
      fc.property(date, offset, fc.constantFrom(19, 23), (time, zone, length) => {
        const text = time.toISOString().slice(0, length) + zone
        expect(timeOf(text)?.getTime()).toBe(Date.parse(text))
      }),
      { numRuns },
    )
  })

  it('a text that is nearly a time is none', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+. '), minLength: 18, maxLength: 32 })
    const mutated = fc.tuple(fc.nat({ max: 24 }), fc.constantFrom(...'0:-T9 x')).map(([at, put]) => {
      const good = '2026-01-31T10:00:00+08:00'
      return good.slice(0, at) + put + good.slice(at + 1)
    })
    const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
    fc.assert(
      fc.property(fc.oneof(text, mutated), (near) => {
        const expected = form.test(near) ? Date.parse(near) : Number.NaN
        const read = timeOf(near)?.getTime() ?? Number.NaN
        return Object.is(read, expected) || Number.isNaN(read)
      }),
      { numRuns },
    )
  })

  it('a table is read the same however its bytes are cut', async () => {
    const cells = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\r\n`,]/.test(text))
    const rows = fc.array(fc.tuple(cells, fc.integer({ min: 0, max: 10 ** 9 })), { maxLength: 12 })
    const layout = {
      count: 'count',
      sums: [{ total: 'total', of: 'fen' }],
      rowReader: () => (row: readonly string[]) => row,
    }
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 64 }), async (written, size) => {
        const total = written.reduce((sum, [, fen]) => sum + fen, 0)
        const lines = [
          'name,fen',
          ...written.map(([name, fen]) => `\`${name},\`${decimal(fen, 2)}`),
          'count,total',
        ]
        const text = `\ufeff${lines.join('\r\n')}\r\n\`${written.length}.0,\`${decimal(total, 2)}\r\n`
        const seen: string[] = []
        for await (const [name = ''] of readTable(inPieces(Buffer.from(text, 'utf8'), size), layout))
          seen.push(name)
        expect(seen).toEqual(written.map(([name]) => name))
      }),
      { numRuns: Math.min(numRuns, 20_000) },
    )
  })
})

async function* inPieces(whole: Buffer, size: number) {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}
