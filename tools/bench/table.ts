export type Aim = { atLeast: number } | { atMost: number } | null

export type Line = {
  what: string
  /** What we do, in words with its unit. */
  figure: string
  /** What it stands beside. */
  floor: string
  ratio: number
  /** The same ratio from processor time, where it was taken. */
  byProcessor?: number
  aim: Aim
}

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
export const rate = (perSecond: number): string => `${number.format(perSecond)}/s`
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`
export const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
export const megabytes = (bytes: number): string => `${number.format(bytes / 1024 / 1024)} MB`

const holds = ({ ratio, aim }: Line): boolean | null => {
  if (aim === null) return null
  return 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost
}

const aimText = (aim: Aim): string =>
  aim === null ? '' : 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`

const ratioText = (ratio = Number.NaN): string => (Number.isFinite(ratio) ? ratio.toFixed(2) : '')

const verdicts = new Map([
  [true, 'held'],
  [false, 'MISSED'],
  [null, ''],
])

/** Prints the table; answers how many aims were missed. */
export function printTable(lines: readonly Line[]): number {
  const rows = lines.map((line) => [
    line.what,
    line.figure,
    line.floor,
    ratioText(line.ratio),
    ratioText(line.byProcessor),
    aimText(line.aim),
    verdicts.get(holds(line)) ?? '',
  ])
  const head = ['what', 'figure', 'beside', 'ratio', 'by CPU', 'aim', '']
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of [head, widths.map((width) => '─'.repeat(width)), ...rows])
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  return lines.filter((line) => holds(line) === false).length
}
