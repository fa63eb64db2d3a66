import { expect, test } from 'vitest'
import { readPlot } from '../src/features/reports/read-report.ts'

test('measurements of two channels are a curve for each, over their time', () => {
  const plot = readPlot([
    { t_ms: 50, channel: 'right', microvolts: 3 },
    { t_ms: 0, channel: 'left', microvolts: 1.5 },
    { t_ms: 100, channel: 'left', microvolts: 2 },
  ])
  expect(plot?.axis).toBe('t_ms')
  expect(plot?.series.map(({ member, group }) => [group?.value, member])).toEqual([
    ['right', 'microvolts'],
    ['left', 'microvolts'],
  ])
  const left = plot?.series[1]?.id ?? ''
  expect(plot?.points.map((point) => [point.x, point[left]])).toEqual([
    [0, 1.5],
    [50, undefined],
    [100, 2],
  ])
})

test('members without groups are a curve each, and words alone are none', () => {
  expect(
    readPlot([{ t_ms: 0, tension: 58, impedance_ohm: 620 }])?.series.map(({ member }) => member),
  ).toEqual(['tension', 'impedance_ohm'])
  expect(readPlot([{ t_ms: 0, note: 'x' }])).toBeNull()
  expect(readPlot([])).toBeNull()
})
