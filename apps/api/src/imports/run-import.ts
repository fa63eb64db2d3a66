import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import type { ImportMerchant } from '../orders/import-orders.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import type { Services } from '../services.ts'
import { checkRows } from './check-rows.ts'
import {
  beginTurn,
  emptyImport,
  endTurn,
  holdImport,
  type ImportView,
  moveImport,
  readImport,
} from './keep-import.ts'
import { readNextRows } from './next-rows.ts'
import { stageFile } from './stage-file.ts'
import { writeRows } from './write-rows.ts'

const { sql } = Prisma
const rowsAtOnce = 500

export type Importing = Pick<Services, 'database' | 'dataKeys' | 'payments'>

/** Imports of a kind are written one after the other: two would take one line over twice. */
const queueImports = (client: PoolClient, { kind }: ImportView) =>
  execute(
    client,
    query('queue-imports', sql`SELECT pg_advisory_xact_lock(hashtextextended(${`import ${kind}`}, 0))`),
  )

/** The passes that write nothing: what is wrong with the file, else what it would bring. */
async function check(services: Importing, held: ImportView, file: AsyncIterable<Buffer>): Promise<void> {
  const { pool } = services.database
  const turn = await beginTurn(pool, held.id)
  if (turn === null) return
  const staged = await stageFile(services, { ...held, turn }, file)
  if (staged === null) return
  const { faults: misfit, ...sums } = await checkRows(pool, held)
  const faults = [...staged.faults, ...misfit].toSorted((one, other) => one.line - other.line).slice(0, 1000)
  const isFaulty = faults.length > 0
  const { users, days, fen } = isFaulty || !held.dryRun ? { users: 0, days: 0, fen: 0 } : sums
  const after = held.dryRun ? 'checked' : 'writing'
  const isOurs = await endTurn(
    pool,
    { id: held.id, turn },
    sql`state = ${isFaulty ? 'faulty' : after}::import_state, lines = ${staged.lines}::int, users = ${users}::int,
      days = ${days}::bigint, fen = ${fen}::bigint, faults = ${JSON.stringify(faults)}::jsonb,
      ended_at = CASE WHEN ${isFaulty || held.dryRun} THEN business_now() END`,
  )
  if (!isOurs) return
  if (isFaulty || held.dryRun) await emptyImport(pool, held.id, 'rows')
  await emptyImport(pool, held.id, 'pieces')
}

/**
 * Writes the next lines in one transaction; false where nothing is left. What the file names may have been taken since it
 * was checked: while nothing is written it is checked again, with no other import of its kind writing, and has its faults.
 */
const writeSome = ({ database, payments }: Importing, id: string): Promise<boolean> =>
  inTransaction(database.pool, async (client) => {
    const held = await holdImport(client, id)
    if (held.state !== 'writing') return false
    await queueImports(client, held)
    const faults = held.written === 0 ? (await checkRows(client, held)).faults : []
    if (faults.length > 0) {
      const told = sql`faults = ${JSON.stringify(faults)}::jsonb`
      await moveImport(client, id, sql`state = 'faulty', ended_at = business_now(), ${told}`)
      return false
    }
    const rows = await readNextRows(client, held, rowsAtOnce)
    if (rows.length === 0) {
      await moveImport(client, id, sql`state = 'done', ended_at = business_now()`)
      return false
    }
    const merchant: ImportMerchant | undefined = payments ?? undefined
    const written = await writeRows(client, held, { rows, merchant })
    await moveImport(client, id, sql`written = written + ${written}::int`)
    return true
  })

/**
 * Takes a file over: checks all of it and then, where nothing is wrong, writes it, five hundred lines a transaction. Called
 * again after it was cut off at any moment it goes on where it was; one that is over is only answered. Of two processes at
 * once the later one checks the file, and both write it, one batch after the other.
 */
export async function runImport(
  services: Importing,
  id: string,
  file: AsyncIterable<Buffer>,
): Promise<ImportView> {
  const { pool } = services.database
  const begun = await readImport(pool, id)
  if (begun.state === 'waiting' || begun.state === 'checking') await check(services, begun, file)
  while (await writeSome(services, id));
  const ended = await readImport(pool, id)
  if (ended.state === 'faulty') await emptyImport(pool, id, 'rows')
  return ended
}
