import { createHash } from 'node:crypto'
import type { DeviceImport, DeviceImportFault, DeviceImportMode } from '@meridian/contracts'
import { column, execute, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import type { Secrets } from '../platform/crypto/seal.ts'
import { inTransaction, withRollback } from '../platform/sql/transaction.ts'
import { STREAM_LIMIT_FAULTS } from '../platform/streams/bounded-stream.ts'
import type { Services } from '../services.ts'
import { sealSecret } from './prove-possession.ts'
import { type InventoryRow, type LineError, readInventoryFile } from './read-inventory-file.ts'

const { sql } = Prisma
const rowsAtOnce = 500
const boundShown = 100

const takenColumns = { created: column.number, bound: column.texts }
/** What became, or would become, of some rows: how many are new, and which are bound and stay as they are. */
type Taken = RowOf<typeof takenColumns>

const serialsOf = (rows: readonly InventoryRow[]) => sql`${rows.map((row) => row.serialNumber)}::text[]`

/** Devices that somebody has bound. */
const boundAmong = (rows: readonly InventoryRow[]) => sql`
  SELECT serial_number FROM bindings WHERE serial_number = ANY(${serialsOf(rows)}) AND unbound_at IS NULL`

/** The devices of some rows, held so that nobody binds them before the import is over. */
const hold = (client: PoolClient, rows: readonly InventoryRow[]) =>
  execute(
    client,
    query(
      'hold-devices',
      sql`SELECT 1 FROM devices WHERE serial_number = ANY(${serialsOf(rows)}) ORDER BY serial_number FOR UPDATE`,
    ),
  )

/** What a line says is written; what it is silent about stays, and so does all of a device that somebody has bound. */
async function write(client: PoolClient, rows: InventoryRow[], dataKeys: Secrets): Promise<Taken> {
  await hold(client, rows)
  const sealed = rows.map(({ serialNumber, secret }) => secret && sealSecret(dataKeys, serialNumber, secret))
  const [written] = await execute(
    client,
    query(
      'import-devices',
      sql`WITH bound AS (${boundAmong(rows)}), written AS (
      INSERT INTO devices (serial_number, model, mac_address, firmware_version, sealed_secret, inventory)
      SELECT serial_number, model, mac_address, firmware_version, sealed_secret, true
      FROM unnest(${serialsOf(rows)}, ${rows.map((row) => row.model)}::text[],
        ${rows.map((row) => row.macAddress)}::text[], ${rows.map((row) => row.firmwareVersion)}::text[],
        ${sealed}::bytea[]) AS told(serial_number, model, mac_address, firmware_version, sealed_secret)
      WHERE serial_number NOT IN (SELECT serial_number FROM bound)
      ON CONFLICT (serial_number) DO UPDATE SET inventory = true, model = coalesce(excluded.model, devices.model),
        mac_address = coalesce(excluded.mac_address, devices.mac_address),
        firmware_version = coalesce(excluded.firmware_version, devices.firmware_version),
        sealed_secret = coalesce(excluded.sealed_secret, devices.sealed_secret)
      RETURNING xmax = 0 AS created)
    SELECT (SELECT count(*)::int FROM written WHERE created) AS created,
      ARRAY(SELECT serial_number FROM bound ORDER BY serial_number) AS bound`,
      takenColumns,
    ),
  )
  return written ?? { created: 0, bound: [] }
}

/** The same counts without a write: a preview holds no lock that a phone would wait for. */
async function count(client: PoolClient, rows: InventoryRow[]): Promise<Taken> {
  const [known] = await execute(
    client,
    query(
      'count-known-devices',
      sql`SELECT (SELECT count(*)::int FROM devices WHERE serial_number = ANY(${serialsOf(rows)})) AS count,
      ARRAY(${boundAmong(rows)} ORDER BY serial_number) AS bound`,
      { count: column.number, bound: column.texts },
    ),
  )
  return { created: rows.length - (known?.count ?? 0), bound: known?.bound ?? [] }
}

/** After these nothing more of a file is read. */
const ending: readonly DeviceImportFault[] = [
  'unreadable',
  'too_many_lines',
  'too_many_faults',
  'column_missing',
  'column_unknown',
  'column_repeated',
]

/** Keeps what is wrong with a line, up to a thousand faults; answers whether to read on. */
function keepLineErrors(result: DeviceImport, faults: readonly LineError[]): boolean {
  result.faultyLines += 1
  for (const fault of faults) {
    result.faultCount += 1
    result.faults.push(fault)
    if (ending.includes(fault.fault)) result.readToEnd = false
    if (result.faultCount < STREAM_LIMIT_FAULTS) continue
    result.faults.push({ line: fault.line, column: null, fault: 'too_many_faults', value: '' })
    result.readToEnd = false
    return false
  }
  return true
}

const nothingYet = (): DeviceImport => ({
  applied: false,
  lines: 0,
  created: 0,
  updated: 0,
  boundCount: 0,
  bound: [],
  faultCount: 0,
  faultyLines: 0,
  readToEnd: true,
  faults: [],
})

async function readAll(file: Buffer, take: (rows: InventoryRow[]) => Promise<Taken>): Promise<DeviceImport> {
  const result = nothingYet()
  let rows: InventoryRow[] = []
  const flush = async () => {
    if (rows.length === 0) return
    const { created, bound } = await take(rows)
    result.created += created
    result.boundCount += bound.length
    result.updated += rows.length - created - bound.length
    result.bound.push(...bound.slice(0, boundShown - result.bound.length))
    rows = []
  }
  for await (const line of readInventoryFile(file)) {
    result.lines += 1
    if ('row' in line) rows.push(line.row)
    else if (!keepLineErrors(result, line.faults)) break
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
  { mode, dataKeys, actor }: { mode: DeviceImportMode; dataKeys: Secrets; actor: Actor },
) {
  // One import at a time: two would lock the same devices in different orders.
  await execute(
    client,
    query('queue-imports', sql`SELECT pg_advisory_xact_lock(hashtextextended('device import', 0))`),
  )
  const result = await readAll(file, (rows) => write(client, rows, dataKeys))
  const isGoodEnough = result.faultCount === 0 || (mode === 'good' && result.readToEnd)
  if (!isGoodEnough) throw new FaultyFile({ ...result, created: 0, updated: 0, boundCount: 0, bound: [] })
  const { lines, created, updated, boundCount: bound, faultyLines: faulty } = result
  const id = createHash('sha256').update(file).digest('hex')
  const entry = {
    operatorId: actor.operatorId,
    action: 'device.import',
    subject: { type: 'device_import', id },
    after: { lines, created, updated, bound, faulty },
  }
  await execute(client, query('audit-import', appendAuditSql(sql`(SELECT 1) done`, entry, actor.from)))
  return { ...result, applied: true }
}

/**
 * Takes devices into the inventory from a CSV file, or says what that would do. A file with a fault changes nothing, or,
 * where that was asked for and all of it was read, is taken without its faulty lines.
 */
export async function importDevices(
  { database: { pool }, config }: Services,
  file: Buffer,
  { mode, actor }: { mode: DeviceImportMode; actor: Actor },
): Promise<DeviceImport> {
  if (mode === 'preview') return withRollback(pool, (client) => readAll(file, (rows) => count(client, rows)))
  const how = { mode, dataKeys: config.DATA_KEY, actor }
  try {
    return await inTransaction(pool, (client) => applyAll(client, file, how))
  } catch (error) {
    if (error instanceof FaultyFile) return error.result
    throw error
  }
}
