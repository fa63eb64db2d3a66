import { reportColumn, reportNumber } from '@meridian/contracts/report-words'
import { make } from './page.ts'
import { reportLanguage, text } from './texts.ts'

type Measurement = Readonly<Record<string, unknown>>
type Series = { name: string; values: number[] }

const width = 300
const height = 56
const axes = ['t_ms', 't', 'time_ms', 'ms', 'index']

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The curves of a report: one for each member that is a number, told apart by channel where there are channels. */
function seriesOf(measurements: readonly Measurement[]): Series[] {
  const series = new Map<string, number[]>()
  for (const row of measurements)
    for (const [key, value] of Object.entries(row)) {
      if (!isNumber(value) || axes.includes(key)) continue
      const channel = typeof row['channel'] === 'string' ? `${row['channel']}` : ''
      const name = channel === '' ? key : `${key} ${channel}`
      const values = series.get(name) ?? []
      values.push(value)
      series.set(name, values)
    }
  return [...series].map(([name, values]) => ({ name, values }))
}

function lineOf(values: readonly number[]): SVGElement {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, at) => {
    const x = values.length < 2 ? 0 : (at / (values.length - 1)) * width
    const y = high === low ? height / 2 : height - 4 - ((value - low) / (high - low)) * (height - 8)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline')
  line.setAttribute('points', points.join(' '))
  svg.append(line)
  return svg
}

/** What was measured, as curves with their extent in words. */
export function curvesOf(measurements: readonly Measurement[]): HTMLElement[] {
  const language = reportLanguage()
  return seriesOf(measurements).map(({ name, values }) => {
    const [key = '', channel = ''] = name.split(' ')
    const side = channel === 'left' ? text('left_side') : channel === 'right' ? text('right_side') : channel
    const extent = text('extent', {
      min: reportNumber(key, Math.min(...values)),
      max: reportNumber(key, Math.max(...values)),
      count: values.length,
    })
    const called = [reportColumn(key, language), side].filter(Boolean).join(' · ')
    return make('figure', 'curve', [
      make('figcaption', '', [make('b', '', called), make('span', 'extent', extent)]),
      lineOf(values),
    ])
  })
}
