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

function faultsOfHeader(kind: ImportKind, names: readonly string[]): ImportFault[] {
  const known: readonly string[] = importColumns[kind]
  const fault = (column: string, code: ImportFaultCode) => ({ line: 1, column: column.slice(0, 64), code })
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

async function* piecesOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of file) yield* inPieces(bytes)
}

async function* readRecords(file: AsyncIterable<Buffer>): AsyncGenerator<{ line: number; values: string[] }> {
  const parser = Readable.from(piecesOf(file), { objectMode: false }).pipe(
    parse({ bom: true, trim: true, info: true, skip_empty_lines: true, max_record_size: recordBytes }),
  )
  for await (const read of parser) {
    const { info, record } = Record.parse(read)
    yield { line: info.lines, values: record }
  }
}

async function* readChecked(kind: ImportKind, file: AsyncIterable<Buffer>): AsyncGenerator<ImportFileLine> {
  let names: string[] | null = null
  for await (const { line, values } of boundedStream(readRecords(file))) {
    if (names !== null) {
      yield readRow(kind, new Map(names.map((name, place) => [name, values[place] ?? ''])), line)
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
    const line = Number(Reflect.get(error, 'lines') ?? 1)
    yield { faults: [{ line, column: null, code: 'unreadable' }] }
  }
}
