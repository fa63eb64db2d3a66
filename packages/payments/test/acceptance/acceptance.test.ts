import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PaymentsError } from '../../src/index.ts'
import { openWorld, type World } from '../world/world.ts'
import { checkRule, everyWordOf, isTest } from './rule.ts'
import { rules } from './rules.ts'

describe('what the platform expects of an integration', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true })
  })
  afterAll(() => world.close())
  afterEach(() => world.platform.faults.clear())

  it.each(rules.map((rule) => [rule.number, rule.text, rule] as const))('%i: %s', async (_, __, rule) => {
    await checkRule(rule, world)
  })

  it('is complete', () => {
    expect(rules.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_, at) => at + 1))
  })
})

describe('the checks themselves', () => {
  it.each([
    ['its message', new PaymentsError('refused', { about: 'SECRET' })],
    ['its cause', new PaymentsError('refused', { cause: new Error('of', { cause: new Error('SECRET') }) })],
    ['a field', Object.assign(new Error('refused'), { deep: { in: { the: { depths: ['SECRET'] } } } })],
  ])('see a secret in an error: in %s', (_, error) => {
    expect(everyWordOf(error)).toContain('SECRET')
  })

  it('see that a test of the API is gone, renamed or skipped', () => {
    const file = 'doors/notifications.test.ts'
    const [name = ''] = rules.flatMap(({ apiAdds }) => apiAdds?.provenBy[file] ?? [])
    expect(isTest({ file, name })).toBe(true)
    expect(isTest({ file, name: `${name}, sometimes` })).toBe(false)
    expect(isTest({ file, name: name.slice(1) })).toBe(false)
    expect(() => isTest({ file: 'doors/nothing.test.ts', name })).toThrow()
  })
})
