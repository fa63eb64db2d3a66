import { expect, it } from 'vitest'
import { createPayments, type PaymentSettings, PaymentSettingsError, theRealOutside } from '../src/index.ts'
import { createPlatform } from '../src/testing/index.ts'

const good: PaymentSettings = createPlatform({ keyMode: 'mixed' }).settings('http://127.0.0.1:1')
const [key, older, short] = ['k'.repeat(32), 'o'.repeat(32), 's'.repeat(31)]

function problemsOf(changes: Partial<PaymentSettings>) {
  try {
    createPayments({ ...good, ...changes }, theRealOutside)
    return []
  } catch (error) {
    if (error instanceof PaymentSettingsError) return error.problems
    throw error
  }
}

it('two API v3 keys are taken while they are rotated', () => {
  expect(problemsOf({ apiV3Keys: [key, older] })).toEqual([])
})

it.each([
  ['the first', [short, key]],
  ['the second', [key, short]],
])('one of two API v3 keys of another length is refused: %s', (_, apiV3Keys) => {
  expect(problemsOf({ apiV3Keys })).toEqual([{ setting: 'apiV3Keys', message: 'must be exactly 32 bytes' }])
})
