import type { Readable } from 'node:stream'
import type { ExportFormat, ExportName } from '@meridian/contracts'
import type { Server } from '../../platform/database/open-replica.ts'
import type { NameView } from '../../platform/sql/show-nickname.ts'
import { boundedStream, STREAM_LIMIT_ROWS } from '../../platform/streams/bounded-stream.ts'
import type { Services } from '../../services.ts'
import type { Language } from '../problem.ts'
import { exports } from './export-lists.ts'
import { beijingTime, type Cell } from './sheet.ts'
import { soldNamesIn } from './sold-names.ts'
import { writeCsv } from './write-csv.ts'
import { writeXlsx } from './write-xlsx.ts'

export type WantedFile = {
  name: ExportName
  /** The filter and the order of the list, as the console sent them. */
  query: unknown
  /** Whose file it is. */
  email: string
  at: Date
  /** Whether nicknames are whole or masked in the file. */
  names: NameView
  /** Which server the lines come from. */
  prefers: Server
  language: Language
  format: ExportFormat
}

/** Who counts the rows of a file, and is told once whether they were all. */
type RowCounter = {
  count: () => void
  rows: () => number
  finish: (outcome: { whole: boolean }) => Promise<void>
}

/** The last line of every file: whose it is, and whether it ended early. */
function watermark(wanted: WantedFile, rows: number, whole: boolean): Cell[] {
  const { name, query, email, language } = wanted
  const filter = exports[name].tell(query, language)
  const when = beijingTime(wanted.at)
  const parts = {
    zh: [
      whole ? `共 ${rows} 行` : `只有前 ${rows} 行，请缩小范围`,
      `由 ${email} 导出`,
      `导出时间：${when}（北京时间）`,
      `筛选：${filter.join('；') || '无'}`,
    ],
    en: [
      whole ? `Rows: ${rows}` : `The first ${rows} rows only: narrow the range`,
      `Exported by ${email}`,
      `Exported at ${when} (Beijing time)`,
      `Filter: ${filter.join('; ') || 'none'}`,
    ],
  }
  return parts[language].map((text) => ({ as: 'words', text }))
}

async function* linesOf(services: Services, wanted: WantedFile, counter: RowCounter) {
  const { name, query, language, names, prefers } = wanted
  const { reads, database } = services
  const soldName = await reads.read(prefers, () => soldNamesIn(database.pool, language))
  const found = exports[name].lines((page) => reads.read(prefers, () => page(database.pool)), {
    input: query,
    language,
    names,
    soldName,
  })
  const read = boundedStream(found, { rows: STREAM_LIMIT_ROWS })
  let next = await read.next()
  for (; !next.done; next = await read.next()) {
    counter.count()
    yield next.value
  }
  const whole = !next.value
  yield watermark(wanted, counter.rows(), whole)
  await counter.finish({ whole })
}

const writers = { csv: writeCsv, xlsx: writeXlsx } as const satisfies Record<ExportFormat, unknown>

export const fileTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>

/** A list as a file, written while it is read and read while somebody takes it. */
export const openFile = (services: Services, wanted: WantedFile, counter: RowCounter): Readable =>
  writers[wanted.format]({
    heads: exports[wanted.name].heads(wanted.language),
    lines: linesOf(services, wanted, counter),
    at: wanted.at,
  })
