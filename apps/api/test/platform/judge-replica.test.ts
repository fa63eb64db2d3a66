import { describe, expect, test } from 'vitest'
import { mayReplacePrimary, whyNotForLists } from '../../src/platform/database/judge-replica.ts'
import { measureLag } from '../../src/platform/database/measure-lag.ts'
import type { Pulse } from '../../src/platform/database/take-pulse.ts'

/** A primary that was at these positions at these seconds. */
function primaryAt(...marks: [second: number, position: bigint][]) {
  const lag = measureLag()
  for (const [second, position] of marks) lag.mark({ position, atMs: second * 1000 })
  return lag
}

const pulse = (changes: Partial<Pulse>): Pulse => ({
  identity: '1/meridian',
  isStandby: true,
  position: 0n,
  askedAtMs: 0,
  answeredAtMs: 0,
  ...changes,
})

describe('how far a replica is behind', () => {
  test('an idle primary makes nobody late, however long it is idle', () => {
    const lag = primaryAt(...Array.from({ length: 600 }, (_, second): [number, bigint] => [second, 100n]))
    expect(lag.behindMs(100n, 599_500)).toBe(500)
  })
  test('a replica that receives nothing is late from what it lacks on, not from when it last received', () => {
    const lag = primaryAt([0, 100n], [50, 100n], [51, 200n], [58, 300n])
    expect(lag.behindMs(100n, 58_000)).toBe(8_000)
    expect(lag.behindMs(250n, 58_000)).toBe(7_000)
    expect(lag.behindMs(300n, 58_000)).toBe(0)
  })
  test('nothing is known before the primary was asked, nor of what lies before all that was said', () => {
    expect(primaryAt().behindMs(100n, 0)).toBe(Number.POSITIVE_INFINITY)
    expect(primaryAt([0, 100n]).behindMs(99n, 0)).toBe(Number.POSITIVE_INFINITY)
    expect(primaryAt([0, 100n], [100, 200n]).behindMs(150n, 100_000)).toBe(Number.POSITIVE_INFINITY)
  })
  test('a new primary that knows less begins anew', () => {
    expect(primaryAt([0, 500n], [9, 400n]).behindMs(450n, 10_000)).toBe(1_000)
    expect(primaryAt([0, 300n], [1, 500n], [9, 400n]).behindMs(350n, 10_000)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a replica is read for lists', () => {
  const lag = primaryAt([0, 100n], [10, 200n])
  const primary = pulse({ isStandby: false, position: 200n, askedAtMs: 10_000, answeredAtMs: 10_001 })
  const why = (changes: Partial<Pulse>, nowMs = 10_000) =>
    whyNotForLists({ replica: pulse(changes), lag }, { primary, nowMs })

  test('up to ten seconds behind, and not beyond', () => {
    expect(why({ position: 150n })).toBeNull()
    expect(why({ position: 150n }, 10_001)).toBe('more than 10 s behind the primary')
  })
  test('where it is one of this primary', () => {
    expect(why({ position: 200n, identity: '2/meridian' })).toMatch(/not a replica of DATABASE_URL/)
    expect(why({ position: 200n, isStandby: false })).toMatch(/no standby/)
  })
  test('where it knows nothing that the primary did not know later', () => {
    expect(why({ position: 201n, answeredAtMs: 9_000 })).toBe('its log is not that of the primary')
    expect(why({ position: 201n, answeredAtMs: 10_002 })).toBeNull()
  })
})

describe('a replica takes the place of a primary', () => {
  const lag = primaryAt([0, 100n], [4, 200n], [10, 300n])
  const primary = pulse({ isStandby: false, position: 300n })
  const may = (changes: Partial<Pulse>, known = lag, nowMs = 0) =>
    mayReplacePrimary({ replica: pulse(changes), lag: known }, { primary, nowMs })

  test('that it was at most five seconds behind when that one last answered', () => {
    expect(may({ position: 199n })).toBe(false)
    expect(may({ position: 200n })).toBe(false)
    expect(may({ position: 300n })).toBe(true)
    expect(may({ position: 300n, identity: 'x' })).toBe(false)
    expect(may({ position: 300n }, primaryAt())).toBe(false)
    expect(may({ position: 200n }, primaryAt([0, 100n], [5, 200n], [10, 300n]))).toBe(true)
  })
  test('as long as it has not been silent for over five seconds itself', () => {
    expect(may({ position: 300n, answeredAtMs: 1_000 }, lag, 6_000)).toBe(true)
    expect(may({ position: 300n, answeredAtMs: 1_000 }, lag, 6_001)).toBe(false)
  })
})
