import { readLines } from './read-lines.ts'
import { fieldsOf } from './read-table.ts'

const backtick = '`'

/** The row with one field emptied; what is no row of this width is left as it is. */
function emptyField(line: string, { at, width }: { at: number; width: number }): string {
  const fields = fieldsOf(line)
  if (at < 0 || !line.startsWith(backtick) || fields.length !== width) return line
  return backtick + fields.map((field, index) => (index === at ? '' : field)).join(`,${backtick}`)
}

/**
 * The bytes of a bill (protocol §7.4) with one column emptied in every row, by constant memory: for keeping what the
 * books need without whom it names. A bill without that column comes out as it was.
 */
export async function* withoutColumn(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let column: { at: number; width: number } | null = null
  for await (const lines of readLines(bytes)) {
    const kept = lines.map((line) => {
      if (column !== null) return emptyField(line, column)
      const header = line.split(',')
      column = { at: header.indexOf(name), width: header.length }
      return line
    })
    if (kept.length > 0) yield Buffer.from(`${kept.join('\r\n')}\r\n`)
  }
}
