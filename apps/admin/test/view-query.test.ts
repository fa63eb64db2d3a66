import { describe, expect, test } from 'vitest'
import { viewQueryOf } from '../src/kit/views/use-saved-views.ts'

describe('what a view keeps of an address', () => {
  test('has one spelling, whatever the order of its parts', () => {
    expect(viewQueryOf('status=paid&min_fen=100')).toBe(viewQueryOf('?min_fen=100&status=paid'))
  })

  test('leaves out the place in the list and what says nothing', () => {
    expect(viewQueryOf('status=paid&cursor=abc&q=')).toBe('status=paid')
    expect(viewQueryOf('cursor=abc')).toBe('')
  })
})
