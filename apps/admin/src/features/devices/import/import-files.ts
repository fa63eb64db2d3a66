import { type DeviceImport, deviceImportColumns } from '@meridian/contracts'

/** What a spreadsheet would take for a formula is made text; what CSV gives a meaning is quoted. */
function cellOf(value: string): string {
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** With the mark by which spreadsheets know UTF-8. */
const toCsv = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`

/** An inventory file with nothing but the names of its columns. */
export const templateCsv = (): string => toCsv([deviceImportColumns])

/** What is wrong with a file, a row for each fault: the line, the column, why, and the line as the file has it. */
export function faultsCsv(
  { faults }: Pick<DeviceImport, 'faults'>,
  { text, head, reasonOf }: FaultWords,
): string {
  const lines = text.split(/\r\n|\n|\r/)
  const rows = faults.map(({ line, column, fault }) => [
    String(line),
    column ?? '',
    reasonOf(fault),
    lines[line - 1] ?? '',
  ])
  return toCsv([head, ...rows])
}

type FaultWords = {
  /** The file itself. */
  text: string
  head: readonly string[]
  reasonOf: (fault: DeviceImport['faults'][number]['fault']) => string
}
