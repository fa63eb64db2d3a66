import { expect, test } from 'vitest'
import { growthLines, type Measured } from '../growth.ts'
import { measureCosts } from '../measure-costs.ts'

const sized = (orders: number, figures: Record<string, number | string>): Measured => ({
  orders,
  figures: new Map(
    Object.entries(figures).map(([name, figure]) => [
      name,
      typeof figure === 'number' ? { ms: figure } : { reason: figure },
    ]),
  ),
})

test('a cost that fails is a reason, and those after it are measured', async () => {
  let runs = 0
  const figures = await measureCosts({
    'cannot be opened': () => Promise.reject(new Error('no such table')),
    'is refused': async () => ({ run: () => Promise.reject(new Error('range_too_wide')) }),
    works: async () => ({
      run: async () => {
        runs += 1
      },
    }),
  })
  expect(figures.get('cannot be opened')).toEqual({ reason: 'no such table' })
  expect(figures.get('is refused')).toEqual({ reason: 'range_too_wide' })
  expect(figures.get('works')).toEqual({ ms: expect.any(Number) })
  expect(runs).toBeGreaterThan(3)
})

test('what was opened for a cost is closed, also when its run fails', async () => {
  const closed: string[] = []
  const close = (name: string) => async () => void closed.push(name)
  await measureCosts({
    one: async () => ({ runs: [async () => undefined], close: close('one') }),
    other: async () => ({ run: () => Promise.reject(new Error('refused')), close: close('other') }),
  })
  expect(closed).toEqual(['one', 'other'])
})

test('each cost is a line with the largest size beside the next, and one without a figure is missed', () => {
  const [flat, refused] = growthLines([
    sized(100, { flat: 1, refused: 3 }),
    sized(1000, { flat: 2, refused: 4 }),
    sized(10_000, { flat: 3, refused: 'range_too_wide' }),
  ])
  expect(flat).toMatchObject({ what: 'flat', figure: '3.00 ms', floor: '1.00 ms; 2.00 ms', ratio: 1.5 })
  expect(flat?.aim).toEqual({ atMost: 1.3 })
  expect(refused).toMatchObject({
    figure: 'not measured: range_too_wide',
    floor: '3.00 ms; 4.00 ms',
    ratio: 0,
    aim: { atLeast: 1 },
  })
})
