import { createHash } from 'node:crypto'
import type { DeviceImport } from '@meridian/contracts'
import { type PoolClient, Prisma, run } from '@meridian/db'
import { type Actor, auditedFrom } from '../audit/write-audit.ts'
import { inRehearsal, inTransaction } from '../in-transaction.ts'
import type { Secrets } from '../platform/crypto/seal.ts'
import { STREAM_LIMIT_FAULTS } from '../platform/streams/bounded-stream.ts'
import type { Services } from '../services.ts'
import { sealSecret } from './prove-possession.ts'
import { type Fault, type InventoryRow, readInventoryFile } from './read-inventory-file.ts'

const { sql } = Prisma
const rowsAtOnce = 500
const faultsShown = 100

/** What a line says is written; what it is silent about stays. */
async function write(client: PoolClient, rows: InventoryRow[], dataKeys: Secrets): Promise<number> {
  const sealed = rows.map(({ serialNumber, secret }) => secret && sealSecret(dataKeys, serialNumber, secret))
  const written = await run<{ created: boolean }>(
    client,
    'import-devices',
    sql`INSERT INTO devices (serial_number, model, mac_address, firmware_version, sealed_secret, inventory)
      SELECT serial_number, model, mac_address, firmware_version, sealed_secret, true
      FROM unnest(${rows.map((row) => row.serialNumber)}::text[], ${rows.map((row) => row.model)}::text[],
        ${rows.map((row) => row.macAddress)}::text[], ${rows.map((row) => row.firmwareVersion)}::text[],
        ${sealed}::bytea[]) AS told(serial_number, model, mac_address, firmware_version, sealed_secret)
      ON CONFLICT (serial_number) DO UPDATE SET inventory = true, model = coalesce(excluded.model, devices.model),
        mac_address = coalesce(excluded.mac_address, devices.mac_address),
        firmware_version = coalesce(excluded.firmware_version, devices.firmware_version),
        sealed_secret = coalesce(excluded.sealed_secret, devices.sealed_secret)
      RETURNING xmax = 0 AS created`,
  )
  return written.filter(({ created }) => created).length
}

/** The same counts without a write: a preview holds no lock that a phone would wait for. */
async function count(client: PoolClient, rows: InventoryRow[]): Promise<number> {
  const [known] = await run<{ count: number }>(
    client,
    'count-known-devices',
    sql`SELECT count(*)::int AS count FROM devices WHERE serial_number = ANY(${rows.map((row) => row.serialNumber)}::text[])`,
  )
  return rows.length - (known?.count ?? 0)
}

/** Keeps a fault, and why the reading ended among those that are shown; answers whether to read on. */
function keepFault(result: DeviceImport, fault: Fault): boolean {
  result.faultCount += 1
  if (result.faults.length < faultsShown || fault.fault === 'too_many_lines') result.faults.push(fault)
  if (result.faultCount < STREAM_LIMIT_FAULTS) return true
  result.faults.push({ line: fault.line, column: null, fault: 'too_many_faults', value: '' })
  return false
}

async function readAll(file: Buffer, take: (rows: InventoryRow[]) => Promise<number>): Promise<DeviceImport> {
  const result: DeviceImport = { applied: false, lines: 0, created: 0, updated: 0, faultCount: 0, faults: [] }
  let rows: InventoryRow[] = []
  const flush = async () => {
    const created = rows.length > 0 ? await take(rows) : 0
    result.created += created
    result.updated += rows.length - created
    rows = []
  }
  for await (const line of readInventoryFile(file)) {
    result.lines += 1
    if ('row' in line) rows.push(line.row)
    else if (!keepFault(result, line.fault)) break
    if (rows.length >= rowsAtOnce) await flush()
  }
  await flush()
  return result
}

/** Says that a file is not to be applied, and undoes what was written of it. */
class FaultyFile extends Error {
  readonly result: DeviceImport

  constructor(result: DeviceImport) {
    super('the file has faults')
    this.result = result
  }
}

async function applyAll(
  client: PoolClient,
  file: Buffer,
  { dataKeys, actor }: { dataKeys: Secrets; actor: Actor },
) {
  // One import at a time: two would lock the same devices in different orders.
  await run(client, 'queue-imports', sql`SELECT pg_advisory_xact_lock(hashtextextended('device import', 0))`)
  const result = await readAll(file, (rows) => write(client, rows, dataKeys))
  if (result.faultCount > 0) throw new FaultyFile({ ...result, created: 0, updated: 0 })
  const { lines, created, updated } = result
  const id = createHash('sha256').update(file).digest('hex')
  const entry = {
    operatorId: actor.operatorId,
    action: 'device.import',
    subject: { type: 'device_import', id },
    after: { lines, created, updated },
  }
  await run(client, 'audit-import', auditedFrom(sql`(SELECT 1) done`, entry, actor.from))
  return { ...result, applied: true }
}

/**
 * Takes devices into the inventory from a CSV file, or says what that would do. A file with a fault changes nothing.
 */
export async function importDevices(
  { database: { pool }, config }: Services,
  file: Buffer,
  { apply, actor }: { apply: boolean; actor: Actor },
): Promise<DeviceImport> {
  if (!apply) return inRehearsal(pool, (client) => readAll(file, (rows) => count(client, rows)))
  try {
    return await inTransaction(pool, (client) => applyAll(client, file, { dataKeys: config.DATA_KEY, actor }))
  } catch (error) {
    if (error instanceof FaultyFile) return error.result
    throw error
  }
}
