import path from 'node:path'
import { expect, test } from 'vitest'
import { undocumentedExports } from './undocumented-exports.ts'

const checkout = path.resolve(import.meta.dirname, '../../..')

test('every export of the packages says what it is', () => {
  const entries = [
    'packages/miniprogram-client/src/index.ts',
    'packages/payments/src/index.ts',
    'packages/payments/src/testing/index.ts',
    'tools/sandbox/src/index.ts',
  ]
  expect(undocumentedExports(entries.map((entry) => path.join(checkout, entry)))).toEqual([])
})
