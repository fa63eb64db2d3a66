import { afterEach, expect, test } from 'vitest'
import { takeConsole } from '../src/take-console.ts'

const own = { ...console }
afterEach(() => {
  Object.assign(console, own)
})

test('whatever a package prints is told once, as urgent as it is, without its colours', () => {
  const told: [string, string][] = []
  takeConsole((level, text) => told.push([level, text]))
  console.error(' \u001B[31m⨯\u001B[39m %s', 'first\nsecond')
  console.warn('mind', { this: 1 })
  console.log('as it is')
  console.trace(new Error('the job library lost its database'))
  expect(told).toEqual([
    ['error', '⨯ first\nsecond'],
    ['warn', 'mind { this: 1 }'],
    ['info', 'as it is'],
    ['warn', expect.stringMatching(/^Error: the job library lost its database\n\s+at /)],
  ])
})
