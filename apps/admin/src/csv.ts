/** What a spreadsheet would take for a formula is made text; what CSV gives a meaning is quoted. */
function cellOf(value: string): string {
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** With the mark by which spreadsheets know UTF-8. */
export const toCsv = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`
