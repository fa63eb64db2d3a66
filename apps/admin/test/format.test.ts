import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dayOf,
  daysBetween,
  formatClock,
  formatExactTime,
  formatList,
  formatRelative,
  formatTime,
  isDay,
  startOfDay,
  truncateMiddle,
} from '../src/format.ts'

const dayMs = 86_400_000

describe('a moment', () => {
  const time = new Date('2026-11-20T16:30:05Z')

  test('is shown in Beijing time, wherever the reader is', () => {
    expect(formatTime(time)).toBe('2026-11-21 00:30')
    expect(formatExactTime(time)).toBe('2026-11-21 00:30:05')
    expect(formatClock(time)).toBe('00:30:05')
    expect(dayOf(time)).toBe('2026-11-21')
  })

  test('is told as a distance in the reader’s language', () => {
    const now = new Date('2026-11-20T19:40:00Z')
    expect(formatRelative(time, { now, language: 'en' })).toBe('3 hours ago')
    expect(formatRelative(time, { now, language: 'zh-CN' })).toBe('3小时前')
    expect(formatRelative(now, { now, language: 'en' })).toBe('this minute')
    expect(formatRelative(new Date('2026-11-23T20:00:00Z'), { now, language: 'en' })).toBe('in 4 days')
  })

  test('to come is as many days away as a subscription that ends then has left', () => {
    const now = new Date('2026-11-20T19:40:00Z')
    const daysTold = (ms: number) => formatRelative(new Date(now.getTime() + ms), { now, language: 'en' })
    const laterMs = fc.integer({ min: dayMs, max: 400 * dayMs })
    fc.assert(
      fc.property(laterMs, (ms) => {
        const left = Math.ceil(ms / dayMs)
        expect(daysTold(ms)).toBe(left === 1 ? 'tomorrow' : `in ${left} days`)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a business day', () => {
  test('begins at midnight in Beijing', () => {
    expect(startOfDay('2026-11-21').toISOString()).toBe('2026-11-20T16:00:00.000Z')
  })

  test.each(['2026-02-30', '2026-13-01', '2026-1-1', 'today', ''])('must exist: %s does not', (text) => {
    expect(isDay(text)).toBe(false)
  })
})

describe('an id', () => {
  test('is shortened in the middle when that saves anything', () => {
    expect(truncateMiddle('M01KAXPRPG4179ZPNB83WVTE8T1')).toBe('M01KAXPR…VTE8T1')
    expect(truncateMiddle('123456789012345')).toBe('123456789012345')
  })
})

test('a list is read as its language writes lists', () => {
  expect(formatList(['7 天', '1 天', '3 天'], 'zh-CN')).toBe('7 天、1 天、3 天')
  expect(formatList(['plan', 'time'], 'en')).toBe('plan, time')
  expect(formatList([], 'en')).toBe('')
})

test('the days between two days are counted over the ends of months, and backwards', () => {
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0)
  expect(daysBetween('2026-11-22', '2027-01-01')).toBe(40)
  expect(daysBetween('2026-03-01', '2026-02-28')).toBe(-1)
})
