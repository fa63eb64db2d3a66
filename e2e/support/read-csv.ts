/** The fields of a comma-separated text, line by line (RFC 4180), read without the program that wrote it. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  const fields = text.replace(/^\uFEFF/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)
  for (const [, quoted, plain = '', end] of fields) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') lines.push([])
  }
  return lines.filter((line) => line.join('') !== '')
}
