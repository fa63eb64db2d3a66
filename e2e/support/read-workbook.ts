import { inflateRawSync } from 'node:zlib'

/** A field as a spreadsheet takes it: text stays text, a number is one. */
export type Field = string | number | null

/** The files of an archive by their names (APPNOTE 4.3.12). */
function filesOf(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  let entry = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const nameEnd = entry + 46 + archive.readUInt16LE(entry + 28)
    const name = archive.toString('utf8', entry + 46, nameEnd)
    const local = archive.readUInt32LE(entry + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(start, start + archive.readUInt32LE(entry + 20))
    files.set(name, (archive.readUInt16LE(entry + 10) === 0 ? bytes : inflateRawSync(bytes)).toString())
    entry = nameEnd + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32)
  }
  return files
}

function fieldOf([, attributes = '', content = '']: RegExpMatchArray): Field {
  if (content === '') return null
  const text = /<t[^>]*>(.*)<\/t>/s.exec(content)?.[1]
  return attributes.includes('t="inlineStr"') ? (text ?? '') : Number(/<v>(.*)<\/v>/.exec(content)?.[1])
}

const rowsOf = (sheet: string): Field[][] =>
  [...sheet.matchAll(/<row[^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c(?: ([^>]*?))?(?:\/>|>(.*?)<\/c>)/gs)].map(fieldOf),
  )

/** Every sheet of a workbook by what its tab says, read without the program that wrote it; a date is its number of days. */
export function readWorkbook(archive: Buffer): Record<string, Field[][]> {
  const files = filesOf(archive)
  const targets = new Map(
    [...(files.get('xl/_rels/workbook.xml.rels') ?? '').matchAll(/Id="([^"]+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id, target]) => [id, target],
    ),
  )
  const tabs = (files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]*)"[^>]*r:id="([^"]+)"/g)
  return Object.fromEntries(
    [...tabs].map(([, name = '', id]) => [name, rowsOf(files.get(`xl/${targets.get(id)}`) ?? '')]),
  )
}
