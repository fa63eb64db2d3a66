import { describe, expect, test } from 'vitest'
import { dayAfter, daysOfPreset } from '../src/days.ts'

describe('days', () => {
  test('follow each other over the ends of months, years and Februaries', () => {
    expect(dayAfter('2026-12-31')).toBe('2027-01-01')
    expect(dayAfter('2028-02-28')).toBe('2028-02-29')
    expect(dayAfter('2026-11-21', -29)).toBe('2026-10-23')
  })
  test.each([
    ['today', '2026-11-21', '2026-11-21'],
    ['lastWeek', '2026-11-15', '2026-11-21'],
    ['lastMonth', '2026-10-23', '2026-11-21'],
    ['lastQuarter', '2026-08-24', '2026-11-21'],
    ['nextWeek', '2026-11-21', '2026-11-27'],
    ['nextMonth', '2026-11-21', '2026-12-20'],
  ] as const)('%s is from %s to %s: today counts', (preset, from, to) => {
    expect(daysOfPreset(preset, '2026-11-21')).toEqual({ from, to })
  })
})
