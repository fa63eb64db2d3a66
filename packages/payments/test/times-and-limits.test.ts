import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withoutColumn } from '../src/bills/bill-cells.ts'
import { fenOf, idOf, timeOf } from '../src/read-fields.ts'
import { inTime } from '../src/request.ts'

describe('a time of the platform', () => {
  it.each([
    ['2026-01-01T08:00:00+08:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2025-12-31T23:30:00-00:30', '2026-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(timeOf(text)?.toISOString()).toBe(instant)
  })
  it.each([
    ['29 February of a year without', '2026-02-29T00:00:00Z'],
    ['29 February of a century', '2100-02-29T00:00:00Z'],
    ['30 February', '2024-02-30T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['a year before 1970', '1969-12-31T23:59:59Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['second 60', '2026-01-01T00:00:60Z'],
    ['a point without digits', '2026-01-01T00:00:00.Z'],
    ['ten digits after the point', '2026-01-01T00:00:00.1234567890Z'],
    ['no offset', '2026-01-01T00:00:00.000'],
    ['an offset of 24 hours', '2026-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T00:00:00+00:60'],
    ['an offset without its colon', '2026-01-01T00:00:00+0800x'],
    ['more after its end', '2026-01-01T00:00:00Z1'],
    ['more after its offset', '2026-01-01T00:00:00+08:000'],
    ['slashes', '2026/01/01T00:00:00Z'],
    ['a space in the middle', '2026-01-01 00:00:00Z'],
    ['letters for digits', '2026-0a-01T00:00:00Z'],
    ['points for colons', '2026-01-01T00.00.00Z'],
  ])('with %s is none', (_, text) => {
    expect(timeOf(text)).toBeNull()
  })
})

describe('fields of an answer', () => {
  it('hold amounts that are whole, not negative and exact', () => {
    expect([0, 1, Number.MAX_SAFE_INTEGER].map(fenOf)).toEqual([0, 1, Number.MAX_SAFE_INTEGER])
    expect([-1, 0.5, '1', null, 2 ** 53].map(fenOf)).toEqual([null, null, null, null, null])
  })
  it('hold ids of visible characters up to their length', () => {
    expect([idOf('a'.repeat(64)), idOf('!~')]).toEqual(['a'.repeat(64), '!~'])
    expect(['a'.repeat(65), '', 'a b', 'é', 7].map((value) => idOf(value))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    expect([idOf('abc', 3), idOf('abcd', 3)]).toEqual(['abc', null])
  })
})

describe('work in time', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const kept = async (signal: AbortSignal) => signal

  it('is told when its time is over', async () => {
    const waiting = inTime(
      { ms: 50 },
      (signal) => new Promise((_, fail) => signal.addEventListener('abort', fail)),
    )
    const ended = expect(waiting).rejects.toMatchObject({ type: 'abort' })
    await vi.advanceTimersByTimeAsync(50)
    await ended
  })
  it('is told when its caller gives up, also where that was before it began', async () => {
    const caller = new AbortController()
    const reasonOf = (signal: AbortSignal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve(signal.reason)
        signal.addEventListener('abort', () => resolve(signal.reason))
      })
    const waiting = inTime({ ms: 50, signal: caller.signal }, reasonOf)
    caller.abort('enough')
    expect(await waiting).toBe('enough')
    expect(await inTime({ ms: 50, signal: caller.signal }, reasonOf)).toBe('enough')
  })
  it('that is done is left alone: by the clock, which holds no process, and by its caller', async () => {
    const caller = new AbortController()
    const signal = await inTime({ ms: 50, signal: caller.signal }, kept)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(100)
    caller.abort()
    expect(signal.aborted).toBe(false)
  })
})

describe('a column that is not kept', () => {
  async function keptOf(lines: readonly string[], name: string): Promise<string[]> {
    async function* bytes() {
      yield Buffer.from(lines.join('\r\n'))
    }
    const kept: Uint8Array[] = []
    for await (const piece of withoutColumn(bytes(), name)) kept.push(piece)
    return Buffer.concat(kept).toString('utf8').trimEnd().split('\r\n')
  }

  it('is emptied in rows alone, not in the header of the summary, however narrow the bill is', async () => {
    expect(await keptOf(['payer', '`o1', 'total'], 'payer')).toEqual(['payer', '`', 'total'])
  })
  it('that a bill does not have leaves it as it came', async () => {
    const bill = ['number,amount', '`1,`2.00', 'total,sum', '`1,`2.00']
    expect(await keptOf(bill, 'payer')).toEqual(bill)
  })
})
