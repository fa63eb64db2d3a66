import type { Report } from '@meridian/contracts'
import { reportColumn, reportMeasure, reportMember, reportNumber } from '@meridian/contracts/report-words'
import { consoleAddress } from './console-link.ts'
import { named } from './names.ts'
import { byId, make, openDialog, press, showFacts } from './page.ts'
import { dayAndTime, reportLanguage, text } from './texts.ts'

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
function curvesOf(measurements: readonly Measurement[]): HTMLElement[] {
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

type Head = Omit<Report, 'measurements'>

/** What a report is called: its program or the part that was scanned, where it says them. */
function titleOf({ kind, summary }: Head): string {
  const about = summary[kind === 'scan' ? 'body_part' : 'program']
  const word = text(kind === 'scan' ? 'kindScan' : 'kindTreatment')
  return typeof about === 'string' ? `${word} · ${named(about)}` : word
}

/** To the second below a minute, to the tenth of a minute above. */
function durationOf({ started_at, ended_at }: Head): string {
  const seconds = Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1000)
  return seconds < 60
    ? text('seconds', { seconds })
    : text('minutes', { minutes: Math.round(seconds / 6) / 10 })
}

export function showReports(reports: readonly Head[], open: (report: Head) => Promise<void>): void {
  byId('no-reports').hidden = reports.length > 0
  byId('reports').replaceChildren(
    ...reports.map((report) =>
      make('li', 'order', [
        make('span', 'order-what', [
          make('b', '', titleOf(report)),
          make('span', 'hint', `${dayAndTime(report.started_at)} · ${durationOf(report)}`),
        ]),
        press(text('open'), titleOf(report), () => void open(report)),
      ]),
    ),
  )
}

function factsOf(report: Head): (readonly [string, string])[] {
  const language = reportLanguage()
  const summary = Object.entries(report.summary).map(([name, value]) => {
    const said = reportMeasure(name, value, language)
    return [reportMember(name, language), named(said)] as const
  })
  return [
    ...(report.score === null ? [] : [[text('score'), text('points', { score: report.score })] as const]),
    [text('duration'), durationOf(report)],
    ...(report.serial_number === null ? [] : [[text('device'), report.serial_number] as const]),
    ...summary,
  ]
}

/** One report in words, over the page it was opened from. */
export function showReport(report: Report): void {
  byId('report-title').textContent = titleOf(report)
  byId('report-time').textContent = dayAndTime(report.started_at)
  showFacts('report-facts', factsOf(report))
  byId('report-locked').hidden = !report.locked
  const curves = curvesOf(report.measurements?.map(Object) ?? [])
  byId('report-measurements').replaceChildren(
    ...(curves.length > 0 || report.locked ? curves : [make('p', 'empty', text('noMeasurements'))]),
  )
  const address = consoleAddress(`/reports/${report.id}`)
  byId('report-console').hidden = address === null
  if (address !== null) byId('report-console').setAttribute('href', address)
  const close = openDialog(byId('report'), byId('report-title'))
  const closed = new AbortController()
  const shut = () => {
    closed.abort()
    close()
  }
  byId('report-back').addEventListener('click', shut, { signal: closed.signal })
  byId('report').addEventListener('keydown', ({ key }) => key === 'Escape' && shut(), {
    signal: closed.signal,
  })
}
