import { Readable } from 'node:stream'
import { type DeviceImportFault, deviceImportColumns } from '@meridian/contracts'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { boundedStream, inPieces, STREAM_LIMIT_ROWS } from '../platform/streams/bounded-stream.ts'

export type InventoryColumn = (typeof deviceImportColumns)[number]

/** A device as a line of the file tells it; null where the line says nothing. */
export type InventoryRow = {
  serialNumber: string
  model: string | null
  macAddress: string | null
  firmwareVersion: string | null
  secret: string | null
}

export type Fault = { line: number; column: string | null; fault: DeviceImportFault; value: string }
export type InventoryLine = { row: InventoryRow } | { fault: Fault }

const forms: Readonly<Record<InventoryColumn, { form: RegExp; fault: DeviceImportFault }>> = {
  serial_number: { form: /^[A-Za-z0-9-]{4,32}$/, fault: 'serial_number_form' },
  model: { form: /^\P{Cc}{0,64}$/u, fault: 'text_form' },
  mac_address: { form: /^\P{Cc}{0,64}$/u, fault: 'text_form' },
  firmware_version: { form: /^\P{Cc}{0,64}$/u, fault: 'text_form' },
  secret: { form: /^([\x21-\x7e]{16,128})?$/, fault: 'secret_form' },
}

const isColumn = (name: string): name is InventoryColumn =>
  deviceImportColumns.some((column) => column === name)

function faultsOfHeader(names: readonly string[]): Fault[] {
  const fault = (column: string, kind: DeviceImportFault): Fault => ({
    line: 1,
    column,
    fault: kind,
    value: column,
  })
  return [
    ...names.filter((name) => !isColumn(name)).map((name) => fault(name.slice(0, 64), 'column_unknown')),
    ...names
      .filter((name, place) => isColumn(name) && names.indexOf(name) !== place)
      .map((name) => fault(name, 'column_repeated')),
    ...(names.includes('serial_number') ? [] : [fault('serial_number', 'column_missing')]),
  ]
}

/** A secret is never repeated to anybody, not even when it is wrong. */
const shown = (column: InventoryColumn, value: string) => (column === 'secret' ? '' : value.slice(0, 64))

function readLine(names: readonly string[], values: readonly string[], line: number): InventoryLine {
  const told = new Map(names.map((name, place) => [name, values[place] ?? '']))
  for (const column of deviceImportColumns) {
    const value = told.get(column) ?? ''
    const { form, fault } = forms[column]
    if (!form.test(value)) return { fault: { line, column, fault, value: shown(column, value) } }
  }
  const textOf = (column: InventoryColumn) => told.get(column) || null
  return {
    row: {
      serialNumber: (told.get('serial_number') ?? '').toUpperCase(),
      model: textOf('model'),
      macAddress: textOf('mac_address'),
      firmwareVersion: textOf('firmware_version'),
      secret: textOf('secret'),
    },
  }
}

const Record = z.object({ info: z.object({ lines: z.number() }), record: z.array(z.string()) })

async function* readRecords(file: Buffer): AsyncGenerator<{ line: number; values: string[] }> {
  const parser = Readable.from(inPieces(file), { objectMode: false }).pipe(
    parse({ bom: true, trim: true, info: true, skip_empty_lines: true, max_record_size: 16 * 1024 }),
  )
  for await (const read of parser) {
    const { info, record } = Record.parse(read)
    yield { line: info.lines, values: record }
  }
}

async function* readChecked(file: Buffer): AsyncGenerator<InventoryLine> {
  let names: string[] | null = null
  const seen = new Set<string>()
  for await (const { line, values } of boundedStream(readRecords(file))) {
    if (names === null) {
      names = values.map((name) => name.toLowerCase())
      const faults = faultsOfHeader(names)
      for (const fault of faults) yield { fault }
      if (faults.length > 0) return
      continue
    }
    // The head is a line of the file too.
    if (line > STREAM_LIMIT_ROWS + 1) {
      yield { fault: { line, column: null, fault: 'too_many_lines', value: '' } }
      return
    }
    const read = readLine(names, values, line)
    const repeated = 'row' in read && seen.has(read.row.serialNumber)
    if ('row' in read) seen.add(read.row.serialNumber)
    yield repeated && 'row' in read
      ? {
          fault: {
            line,
            column: 'serial_number',
            fault: 'serial_number_repeated',
            value: read.row.serialNumber,
          },
        }
      : read
  }
  if (names === null)
    yield { fault: { line: 1, column: 'serial_number', fault: 'column_missing', value: 'serial_number' } }
}

/** Reads an inventory file line by line: each line is a device, or what is wrong with it. */
export async function* readInventoryFile(file: Buffer): AsyncGenerator<InventoryLine> {
  try {
    yield* readChecked(file)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(Reflect.get(error, 'lines') ?? 1)
    yield { fault: { line, column: null, fault: 'unreadable', value: '' } }
  }
}
