import { describe, expect, test } from 'vitest'
import {
  arrange,
  moveColumn,
  moveEdge,
  NARROWEST,
  plainLayout,
  readLayout,
  sharesOf,
  shownOf,
  toggleColumn,
} from '../src/ui/data-table/table-layout.ts'

const columns = ['order', 'status', 'plan', 'amount'].map((key) => ({ key, skeleton: 76 }))
const keysOf = (found: readonly { key: string }[]) => found.map(({ key }) => key)

describe('what the browser kept', () => {
  test('is read as it was written', () => {
    const layout = { order: ['plan'], hidden: ['status'], widths: { plan: 120 }, compact: true }
    expect(readLayout(JSON.stringify(layout))).toEqual(layout)
  })

  test.each([null, '', '{', 'null', '7', '"x"', '[]', '{"order":7}', '{"widths":{"plan":"wide"}}'])(
    'is the plain table where it says %s',
    (text) => expect(readLayout(text)).toEqual(plainLayout),
  )

  test('is kept as far as it makes sense', () => {
    const text = '{"order":[1],"hidden":["plan"],"widths":{"plan":-3},"compact":"yes","more":1}'
    expect(readLayout(text)).toEqual({ ...plainLayout, hidden: ['plan'] })
  })
})

describe('columns', () => {
  test('stand as the list has them until somebody moves them', () => {
    expect(keysOf(arrange(columns, plainLayout))).toEqual(['order', 'status', 'plan', 'amount'])
  })

  test('that the kept order does not know stand after their neighbour, and those that are gone are left out', () => {
    const layout = { ...plainLayout, order: ['amount', 'gone', 'status', 'amount'] }
    expect(keysOf(arrange(columns, layout))).toEqual(['order', 'amount', 'status', 'plan'])
  })

  test('move one place at a time, and never past the first or the end', () => {
    const up = moveColumn(columns, plainLayout, { key: 'amount', step: -1 })
    expect(keysOf(arrange(columns, up))).toEqual(['order', 'status', 'amount', 'plan'])
    expect(moveColumn(columns, plainLayout, { key: 'status', step: -1 })).toBe(plainLayout)
    expect(moveColumn(columns, plainLayout, { key: 'amount', step: 1 })).toBe(plainLayout)
    expect(moveColumn(columns, plainLayout, { key: 'order', step: 1 })).toBe(plainLayout)
  })

  test('hide and come back; the one that names the row always shows', () => {
    const hidden = toggleColumn(toggleColumn(plainLayout, 'plan'), 'order')
    expect(keysOf(shownOf(columns, hidden))).toEqual(['order', 'status', 'amount'])
    expect(keysOf(shownOf(columns, toggleColumn(hidden, 'plan')))).toEqual([
      'order',
      'status',
      'plan',
      'amount',
    ])
  })
})

describe('an edge', () => {
  const widths = { order: 200, status: 100 }

  test('gives one column what it takes from the next', () => {
    expect(moveEdge(widths, ['order', 'status'], 16)).toEqual({ order: 216, status: 84 })
    expect(moveEdge(widths, ['order', 'status'], -50)).toEqual({ order: 150, status: 150 })
  })

  test('leaves either column wide enough to take hold of', () => {
    expect(moveEdge(widths, ['order', 'status'], 500)).toEqual({ order: 220, status: NARROWEST })
    expect(moveEdge(widths, ['order', 'status'], -500)).toEqual({ order: NARROWEST, status: 220 })
  })

  test('leaves a column that its content makes narrower as it is, unless it is to be wider', () => {
    const tight = { order: 180, amount: 71 }
    expect(moveEdge(tight, ['order', 'amount'], 16)).toEqual(tight)
    expect(moveEdge(tight, ['order', 'amount'], -16)).toEqual({ order: 164, amount: 87 })
    const moved = { ...plainLayout, widths: moveEdge(tight, ['order', 'amount'], 16) }
    expect(readLayout(JSON.stringify(moved))).toEqual(moved)
  })

  test('shares the width of the table, whatever a column without a width of its own takes', () => {
    const shares = sharesOf(columns, widths)
    expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
    expect(shares.get('plan')).toBe(0.2)
  })
})
