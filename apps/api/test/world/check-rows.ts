import { afterAll, expect } from 'vitest'
import { takeDifferences } from './compare-rows.ts'

afterAll(() => {
  expect(takeDifferences(), 'rows are not what their statement declares').toEqual([])
})
