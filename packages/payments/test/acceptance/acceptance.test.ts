import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PaymentsError } from '../../src/index.ts'
import { everyWordOf, isTest } from './rule.ts'
import { lists } from './rules.ts'

describe.each(lists)('$title', ({ mark, rules, open }) => {
  let list: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    list = await open()
  })
  afterAll(() => list.close())

  it.each(rules.map(({ number, text }) => [`${mark}${number}`, text, number] as const))(
    '%s: %s',
    async (_, __, number) => {
      await list.check(number)
    },
  )
})

it('both lists are complete', () => {
  const numbersOf = (length: number) => Array.from({ length }, (_, at) => at + 1)
  expect(lists.map(({ rules }) => rules.map(({ number }) => number))).toEqual([numbersOf(28), numbersOf(27)])
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
    const [name = ''] = lists.flatMap(({ rules }) =>
      rules.flatMap(({ apiAdds }) => apiAdds?.provenBy[file] ?? []),
    )
    expect(isTest({ file, name })).toBe(true)
    expect(isTest({ file, name: `${name}, sometimes` })).toBe(false)
    expect(isTest({ file, name: name.slice(1) })).toBe(false)
    expect(() => isTest({ file: 'doors/nothing.test.ts', name })).toThrow()
  })
})
