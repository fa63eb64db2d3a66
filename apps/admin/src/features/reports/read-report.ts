import { reportColumn, reportMeasure, reportMember, reportValue } from '@meridian/contracts'
import { useLocale } from 'next-intl'

type Measurement = Record<string, unknown>

export type Point = { x: number } & Record<string, number>
/** One curve: a member of the measurements, of one group where words tell groups apart. */
type Series = { id: string; member: string; group: { member: string; value: string } | null }
export type Plot = {
  /** What runs along the bottom: a member of the measurements, or their number. */
  axis: string | null
  series: Series[]
  points: Point[]
}

const axes = ['t_ms', 't', 'time_ms', 'time', 'ms', 'second', 'index']
const mostSeries = 6
const mostPoints = 1200

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** A member that tells curves apart, such as the channel: words, few of them. */
function findSplit(rows: readonly Measurement[]): string | null {
  const [first] = rows
  for (const [key, value] of Object.entries(first ?? {})) {
    if (typeof value !== 'string') continue
    const words = new Set(rows.map((row) => row[key]))
    if (words.size > 1 && words.size <= mostSeries && words.size < rows.length) return key
  }
  return null
}

/** Every n-th row, so that a curve has no more points than a screen has columns. */
function thin(rows: readonly Measurement[]): Measurement[] {
  const step = Math.max(1, Math.ceil(rows.length / mostPoints))
  return rows.filter((_, place) => place % step === 0)
}

/** What of the measurements can be drawn; null when there is nothing. */
export function readPlot(measurements: readonly Measurement[]): Plot | null {
  const rows = thin(measurements)
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isNumber(row[key]))))]
  const axis = axes.find((name) => rows.every((row) => isNumber(row[name]))) ?? null
  const drawn = keys.filter((key) => key !== axis)
  if (rows.length === 0 || drawn.length === 0) return null
  const split = findSplit(rows)
  const found = new Map<string, Series>()
  const points = rows.map((row, place) => {
    const at = axis === null ? place : row[axis]
    const values = drawn.flatMap((member) => {
      const value = row[member]
      if (!isNumber(value)) return []
      const group = split === null ? null : { member: split, value: String(row[split]) }
      const id = JSON.stringify([group?.value ?? null, member])
      found.set(id, found.get(id) ?? { id, member, group })
      return [[id, value] as const]
    })
    return { x: isNumber(at) ? at : place, ...Object.fromEntries(values) }
  })
  return {
    axis,
    series: [...found.values()].slice(0, mostSeries),
    points: points.toSorted((one, other) => one.x - other.x),
  }
}

/** What members and values of a report are called: wearables send keys, people read names and units. */
export function useReportWords() {
  const language = useLocale() === 'en' ? 'en' : 'zh'
  return {
    member: (name: string) => reportMember(name, language),
    column: (name: string) => reportColumn(name, language),
    value: (name: string, value: unknown) => reportValue(name, value, language),
    measure: (name: string, value: unknown) => reportMeasure(name, value, language),
    /** A curve: `左 · 肌电（µV）`. */
    series: ({ member, group }: Series) =>
      [group === null ? '' : reportValue(group.member, group.value, language), reportColumn(member, language)]
        .filter(Boolean)
        .join(' · '),
  }
}
