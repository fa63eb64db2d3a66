import { inflateRawSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** What a spreadsheet takes a field for: a number has lost whatever does not fit fifteen digits. */
export type Field = string | number | Date | boolean | { formula: string } | null

const wholeText = /^="((?:[^"]|"")*)"$/
const number = /^\s*[+-]?(\d[\d,]*)?\.?\d+(e[+-]?\d+)?%?\s*$/i
const date =
  /^(\d{1,4}[-/.年]\d{1,2}([-/.月]\d{1,4}日?)?( \d\d:\d\d(:\d\d)?)?|\d{1,2}:\d\d|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]\d{1,4})$/i

/** How Excel, WPS and LibreOffice type a field of a comma-separated file that somebody opens by a double click. */
function typed(field: string): Field {
  if (field === '') return null
  const text = wholeText.exec(field)?.[1]
  if (text !== undefined) return text.replaceAll('""', '"')
  if (number.test(field)) return Number(Number(field.replace(/,|%/g, '')).toPrecision(15))
  if (/^[=+\-@\t\r＝＋－＠]/.test(field)) return { formula: field }
  if (date.test(field)) return new Date(`${field.replace(' ', 'T')}Z`)
  return /^(true|false)$/i.test(field) ? field.toLowerCase() === 'true' : field
}

export function openCsv(file: Buffer): Field[][] {
  if (file[0] !== 0xef || file[1] !== 0xbb || file[2] !== 0xbf)
    throw new Error('without its mark the file is no UTF-8')
  return z
    .array(z.array(z.string()))
    .parse(parse(file, { bom: true, relax_column_count: true }))
    .map((line) => line.map(typed))
}

/** The files of an archive, by its directory (APPNOTE 4.3.12), not by what the entries say of themselves. */
function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const files = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameSize, extra, comment, start] = [
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
      file.readUInt16LE(at + 32),
      file.readUInt32LE(at + 42),
    ]
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
    const packed = file.subarray(data, data + size)
    const bytes = file.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed
    files.set(file.toString('utf8', at + 46, at + 46 + nameSize), bytes.toString())
    at += 46 + nameSize + extra + comment
  }
  return files
}

const part = (parts: Map<string, string>, name: string): string => {
  const found = parts.get(name)
  if (found === undefined) throw new Error(`the workbook has no ${name}`)
  return found
}

const unescaped = (text: string): string =>
  text
    .replace(/&(lt|gt|amp);/g, (mark) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&' })[mark] ?? mark)
    .replace(/_x([0-9A-F]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const DAY_MS = 86_400_000

/** The first sheet of a workbook, its cells as their types and formats say. */
export const openXlsx = (file: Buffer): Field[][] => readSheet(unzip(file), 'sheet1')

/** Every sheet of a workbook by what its tab says. */
export function openWorkbook(file: Buffer): Record<string, Field[][]> {
  const parts = unzip(file)
  const targets = new Map(
    [
      ...part(parts, 'xl/_rels/workbook.xml.rels').matchAll(
        /Id="([^"]+)"[^>]*Target="worksheets\/([^".]+)\.xml"/g,
      ),
    ].map(([, id = '', target = '']) => [id, target]),
  )
  return Object.fromEntries(
    [...part(parts, 'xl/workbook.xml').matchAll(/<sheet name="([^"]*)"[^>]*r:id="([^"]+)"/g)].map(
      ([, name = '', id = '']) => [unescaped(name), readSheet(parts, targets.get(id) ?? '')],
    ),
  )
}

function readSheet(parts: Map<string, string>, sheet: string): Field[][] {
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'])
    part(parts, name)
  const styles = part(parts, 'xl/styles.xml')
  const formats = [...(/<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? '').matchAll(/<xf numFmtId="(\d+)"/g)]
  const dates = [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="[^"]*yy[^"]*"/g)].map(
    ([, id]) => id,
  )
  const cell = ([, attributes = '', content = '']: RegExpMatchArray | string[]): Field => {
    if (content === '') return null
    if (attributes.includes('t="inlineStr"'))
      return unescaped(/<is><t[^>]*>(.*)<\/t><\/is>/s.exec(content)?.[1] ?? '')
    if (content.includes('<f>')) return { formula: content }
    const value = Number(/<v>(.*)<\/v>/.exec(content)?.[1])
    const format = formats[Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0)]?.[1]
    return dates.includes(format) ? new Date(Math.round((value - 25_569) * DAY_MS)) : value
  }
  return [...part(parts, `xl/worksheets/${sheet}.xml`).matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c(?: ([^>]*?))?(?:\/>|>(.*?)<\/c>)/gs)].map(cell),
  )
}
