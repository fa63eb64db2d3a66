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

export type LineError = { line: number; column: string | null; fault: DeviceImportFault; value: string }
export type InventoryLine = { row: InventoryRow } | { faults: LineError[] }

const forms: Readonly<Record<InventoryColumn, { form: RegExp; fault: DeviceImportFault }>> = {
  serial_number: { form: /^[A-Za-z0-9-]{4,32}$/, fault: 'serial_number_form' },
  // Begins with a letter or digit: a sheet takes `=`, `+`, `-` or `@` for a formula.
  model: { form: /^([\p{L}\p{N}][\p{L}\p{N} .,_()/+-]{0,63})?$/u, fault: 'model_form' },
  // EUI-48 (IEEE 802): six octets, with colons or hyphens or without.
  mac_address: { form: /^([\da-f]{2}([:-]?)[\da-f]{2}(\2[\da-f]{2}){4})?$/i, fault: 'mac_address_form' },
  firmware_version: { form: /^\P{Cc}{0,64}$/u, fault: 'text_form' },
  secret: { form: /^([\x21-\x7e]{16,128})?$/, fault: 'secret_form' },
}

const isColumn = (name: string): name is InventoryColumn =>
  deviceImportColumns.some((column) => column === name)

function faultsOfHeader(names: readonly string[]): LineError[] {
  const fault = (column: string, kind: DeviceImportFault): LineError => ({
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

/** `AA:BB:CC:DD:EE:FF`, however it was written. */
const macAddress = (text: string) =>
  text
    .replaceAll(/[:-]/g, '')
    .toUpperCase()
    .replaceAll(/..(?!$)/g, '$&:')

/** A secret is never repeated to anybody, not even when it is wrong. */
const shown = (column: InventoryColumn, value: string) => (column === 'secret' ? '' : value.slice(0, 64))

function readLine(names: readonly string[], values: readonly string[], line: number): InventoryLine {
  const cells = new Map(names.map((name, place) => [name, values[place] ?? '']))
  const faults = deviceImportColumns.flatMap((column): LineError[] => {
    const value = cells.get(column) ?? ''
    const { form, fault } = forms[column]
    return form.test(value) ? [] : [{ line, column, fault, value: shown(column, value) }]
  })
  if (faults.length > 0) return { faults }
  const textOf = (column: InventoryColumn) => cells.get(column) || null
  return {
    row: {
      serialNumber: (cells.get('serial_number') ?? '').toUpperCase(),
      model: textOf('model'),
      macAddress: macAddress(cells.get('mac_address') ?? '') || null,
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

const repeated = (line: number, serialNumber: string): LineError => ({
  line,
  column: 'serial_number',
  fault: 'serial_number_repeated',
  value: serialNumber,
})

async function* readChecked(file: Buffer): AsyncGenerator<InventoryLine> {
  let names: string[] | null = null
  const seen = new Set<string>()
  for await (const { line, values } of boundedStream(readRecords(file))) {
    if (names === null) {
      names = values.map((name) => name.toLowerCase())
      const faults = faultsOfHeader(names)
      if (faults.length === 0) continue
      yield { faults }
      return
    }
    // The head is a line of the file too.
    if (line > STREAM_LIMIT_ROWS + 1) {
      yield { faults: [{ line, column: null, fault: 'too_many_lines', value: '' }] }
      return
    }
    const read = readLine(names, values, line)
    const serial = 'row' in read ? read.row.serialNumber : null
    yield serial !== null && seen.has(serial) ? { faults: [repeated(line, serial)] } : read
    if (serial !== null) seen.add(serial)
  }
  if (names === null) yield { faults: faultsOfHeader([]) }
}

/** Reads an inventory file line by line: each line is a device, or what is wrong with it. */
export async function* readInventoryFile(file: Buffer): AsyncGenerator<InventoryLine> {
  try {
    yield* readChecked(file)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(Reflect.get(error, 'lines') ?? 1)
    yield { faults: [{ line, column: null, fault: 'unreadable', value: '' }] }
  }
}
