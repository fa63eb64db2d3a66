import { describe, expect, test } from 'vitest'
import { seekOption } from '../src/ui/select-option.ts'

const options = [
  { value: 'all', label: 'All plans' },
  { value: 'month', label: 'Monthly' },
  { value: 'year', label: 'Yearly' },
  { value: 'mini', label: 'mini' },
] as const

describe('typing on a closed list', () => {
  test('chooses the next option that starts so, whatever the case, and goes round', () => {
    expect(seekOption(options, { after: 'all', start: 'm' })).toBe('month')
    expect(seekOption(options, { after: 'month', start: 'M' })).toBe('mini')
    expect(seekOption(options, { after: 'mini', start: 'm' })).toBe('month')
  })

  test('stays with the chosen one when no other starts so', () => {
    expect(seekOption(options, { after: 'year', start: 'y' })).toBe('year')
  })

  test.each(['x', ' ', 'Enter', 'Tab', ''])('chooses nothing by %j', (start) => {
    expect(seekOption(options, { after: 'all', start })).toBeNull()
  })
})
