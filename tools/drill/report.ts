import type { Outcome } from './run-drill.ts'

const columns: readonly [string, (outcome: Outcome) => string | number][] = [
  ['drill', ({ title }) => title],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['of those lost by the database', ({ lost }) => lost],
  ['in doubt at the end', ({ findings }) => findings.length],
  ['database without writes, s', ({ figures }) => figures.databaseWithoutWritesSeconds],
  ['first success, s', ({ figures }) => figures.firstSuccessSeconds],
  ['jobs, s', ({ figures }) => figures.jobsSeconds],
  ['without reads, s', ({ figures }) => figures.withoutReadsSeconds],
  ['slowest write, s', ({ figures }) => figures.slowestWriteSeconds],
  ['requests', ({ figures }) => figures.requests],
  ['failed behind one that retries', ({ figures }) => figures.failedRetrying],
  ['failed behind one that does not', ({ figures }) => figures.failedPlain],
  ['alert, s', ({ alertSeconds }) => alertSeconds ?? '–'],
  ['own pause, s', ({ stallSeconds }) => stallSeconds],
  ['load of a core', ({ load }) => load],
  ['verdict', (outcome) => (hasHeld(outcome) ? '✔' : '✖')],
]

export const hasHeld = ({ findings, missed }: Outcome): boolean =>
  findings.length === 0 && missed.length === 0

/** The outcomes as one Markdown table, and below it what did not hold. */
export function markdownOf(outcomes: readonly Outcome[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(columns.map(([title]) => title)),
    line(columns.map(() => '---')),
    ...outcomes.map((outcome) => line(columns.map(([, cell]) => cell(outcome)))),
  ]
  const wrong = outcomes.flatMap(({ name, findings, missed }) => [
    ...missed.map((text) => `- ${name}: ${text}`),
    ...findings.slice(0, 20).map((text) => `- ${name}: ${text}`),
  ])
  return [...table, ...(wrong.length > 0 ? ['', ...wrong] : [])].join('\n')
}
