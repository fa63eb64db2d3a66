import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../world/world.ts'
import { rules } from './rules.ts'

describe('what the platform expects of an integration', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true })
  })
  afterAll(() => world.close())
  afterEach(() => world.platform.weather.clear())

  it.each(rules.map((rule) => [rule.number, rule.text, rule] as const))('%i: %s', async (_, __, rule) => {
    await rule.check(world)
  })

  it('is complete', () => {
    expect(rules.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_, at) => at + 1))
  })
})
