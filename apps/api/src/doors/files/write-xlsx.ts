import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { BEIJING_OFFSET_MS, type Cell, inPieces, type Sheet } from './sheet.ts'

// ECMA-376 part 1: the parts of a workbook, its texts inside the cells, so that nothing has to be
// known before the first line is written.

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Which of the formats of `styles.xml` a cell has. */
const style = { general: 0, text: 1, yuan: 2, moment: 3, head: 4, day: 5 } as const

const DAY_MS = 24 * 3_600_000
/** The first of January 1970 as a workbook counts days. */
const DAYS_TO_1970 = 25_569
/** The most that a cell holds. */
const CELL_CHARACTERS = 32_767

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What XML 1.0 has no place for: controls, halves of characters, and two that are none. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text inside XML; `_x000A_` is how a workbook writes a character by its code, so a text like it is written so. */
const escaped = (text: string): string =>
  text
    .slice(0, CELL_CHARACTERS)
    .replace(unwritable, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (mark) => marks[mark] ?? '')

const textCell = (text: string, format: number): string =>
  `<c t="inlineStr" s="${format}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const numberCell = (value: number | string, format: number): string => `<c s="${format}"><v>${value}</v></c>`

/** Days since the beginning of 1900 in Beijing, as a workbook tells a time that has no zone; whole seconds. */
const daysOf = (at: Date): string => {
  const wholeMs = Math.trunc((at.getTime() + BEIJING_OFFSET_MS) / 1000) * 1000
  return (wholeMs / DAY_MS + DAYS_TO_1970).toFixed(9)
}

function cellXml(cell: Cell): string {
  switch (cell?.as) {
    case undefined:
      return '<c/>'
    case 'id':
    case 'text':
    case 'words':
      return textCell(cell.text, style.text)
    case 'yuan':
      return numberCell((cell.fen / 100).toFixed(2), style.yuan)
    case 'count':
      return numberCell(cell.count, style.general)
    case 'moment':
      return numberCell(daysOf(cell.at), style.moment)
    case 'day':
      return numberCell(Date.parse(cell.day) / DAY_MS + DAYS_TO_1970, style.day)
  }
}

/** 49 is text and 4 is #,##0.00 by the standard; what a file defines itself begins at 164. */
const styles = `${xml}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${[0, 49, 4, 164].map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join('')}<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** A sheet of a workbook with its name, as its tab says it: at most 31 characters, none of `[]:*?/\\`. */
export type NamedSheet = Omit<Sheet, 'at'> & { name: string }

const partOf = (at: number) => `xl/worksheets/sheet${at + 1}.xml`

/** What says which sheets there are, and how their cells look. */
const fixedParts = (names: readonly string[]): Record<string, string> => ({
  '[Content_Types].xml': `${xml}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/>${names.map((_, at) => `<Override PartName="/${partOf(at)}" ContentType="${kind}.worksheet+xml"/>`).join('')}</Types>`,
  '_rels/.rels': `${xml}<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, at) => `<sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}" r:id="s${at + 1}"/>`).join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="${packaged}/relationships">${names.map((_, at) => `<Relationship Id="s${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}<Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
})

async function* sheetXml({ heads, lines }: NamedSheet) {
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="${heads.length}" width="24" customWidth="1"/></cols><sheetData>`
  yield `<row>${heads.map((text) => textCell(text, style.head)).join('')}</row>`
  for await (const cells of lines) yield `<row>${cells.map(cellXml).join('')}</row>`
  yield '</sheetData></worksheet>'
}

/**
 * A workbook: amounts are numbers, times are times, and ids stay the text they are. One sheet is read after the other,
 * each while it is written.
 */
export function writeWorkbook(sheets: readonly NamedSheet[], at: Date): Readable {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(fixedParts(sheets.map(({ name }) => name))))
    zip.addBuffer(Buffer.from(text), name, { mtime: at })
  const parts = sheets.map((sheet) => Readable.from(inPieces(sheetXml(sheet)), { objectMode: false }))
  for (const [index, part] of parts.entries()) zip.addReadStream(part, partOf(index), { mtime: at })
  zip.end()
  // Both ways: what cannot be read breaks the file off, and a file nobody takes any more is not read on.
  const file = Readable.from(zip.outputStream, { objectMode: false })
  for (const source of [zip, ...parts]) source.on('error', (error: Error) => file.destroy(error))
  file.on('close', () => {
    for (const part of parts) part.destroy()
  })
  return file
}

/** A list as a workbook of one sheet. */
export const writeXlsx = ({ at, ...sheet }: Sheet): Readable =>
  writeWorkbook([{ ...sheet, name: 'Meridian' }], at)
