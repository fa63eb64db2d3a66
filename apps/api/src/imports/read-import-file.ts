import { Readable } from 'node:stream'
import {
  type ImportFault,
  type ImportFaultCode,
  type ImportKind,
  importColumns,
  importRequired,
} from '@meridian/contracts'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { boundedStream, inPieces } from '../platform/streams/bounded-stream.ts'
import { type ImportRow, readRow } from './read-row.ts'

/** A line of the file: a row, or what is wrong with it. */
export type ImportFileLine = { row: ImportRow } | { faults: ImportFault[] }

const recordBytes = 16 * 1024

/** A name of a column as it can be kept: of a file that is no CSV it holds whatever bytes that file begins with. */
const tellableName = (name: string) => name.slice(0, 64).replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD')

function faultsOfHeader(kind: ImportKind, names: readonly string[]): ImportFault[] {
  const known: readonly string[] = importColumns[kind]
  const fault = (name: string, code: ImportFaultCode) => ({ line: 1, column: tellableName(name), code })
  return [
    ...names.filter((name) => !known.includes(name)).map((name) => fault(name, 'column_unknown')),
    ...names
      .filter((name, place) => known.includes(name) && names.indexOf(name) !== place)
      .map((name) => fault(name, 'column_repeated')),
    ...importRequired[kind]
      .filter((name) => !names.includes(name))
      .map((name) => fault(name, 'column_missing')),
  ]
}

const Record = z.object({ info: z.object({ lines: z.number() }), record: z.array(z.string()) })

/** Whether the bytes that were read so far are UTF-8, as they are read. */
type Encoding = { isUtf8: boolean }

async function* piecesOf(file: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const look = (bytes?: Buffer) => {
    if (!encoding.isUtf8) return
    try {
      decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      encoding.isUtf8 = false
    }
  }
  for await (const bytes of file)
    for await (const piece of inPieces(bytes)) {
      look(piece)
      yield piece
    }
  look()
}

type Line = { line: number; values: string[]; isReadable: boolean }

/**
 * A cell that is not UTF-8 has U+FFFD where its bytes were, which a cell of a good file may hold as well. UTF-16 with its
 * mark is read as what it is, and has none.
 */
async function* readRecords(file: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  const encoding: Encoding = { isUtf8: true }
  const parser = Readable.from(piecesOf(file, encoding), { objectMode: false }).pipe(
    parse({
      bom: true,
      trim: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: recordBytes,
    }),
  )
  for await (const read of parser) {
    const { info, record } = Record.parse(read)
    const isReadable = encoding.isUtf8 || !record.some((value) => value.includes('\uFFFD'))
    yield { line: info.lines, values: record, isReadable }
  }
}

const unreadable = (line: number): ImportFileLine => ({
  faults: [{ line, column: null, code: 'unreadable' }],
})

const readLine = (
  kind: ImportKind,
  names: readonly string[],
  { line, values }: Pick<Line, 'line' | 'values'>,
): ImportFileLine =>
  values.length === names.length
    ? readRow(kind, new Map(names.map((name, place) => [name, values[place] ?? ''])), line)
    : { faults: [{ line, column: null, code: 'cells_count' }] }

async function* readChecked(kind: ImportKind, file: AsyncIterable<Buffer>): AsyncGenerator<ImportFileLine> {
  let names: string[] | null = null
  for await (const { line, values, isReadable } of boundedStream(readRecords(file))) {
    if (!isReadable) {
      yield unreadable(line)
      return
    }
    if (names !== null) {
      yield readLine(kind, names, { line, values })
      continue
    }
    names = values.map((name) => name.toLowerCase())
    const faults = faultsOfHeader(kind, names)
    if (faults.length === 0) continue
    yield { faults }
    return
  }
  if (names === null) yield { faults: faultsOfHeader(kind, []) }
}

/** Reads a file line by line, others getting their turn between them; it never holds more than a piece and a line. */
export async function* readImportFile(
  kind: ImportKind,
  file: AsyncIterable<Buffer>,
): AsyncGenerator<ImportFileLine> {
  try {
    yield* readChecked(kind, file)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    yield unreadable(Number(Reflect.get(error, 'lines') ?? 1))
  }
}
