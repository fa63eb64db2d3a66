import { scheduler } from 'node:timers/promises'
import { openPool, type Pool } from '@meridian/db'
import type { Cluster } from './cluster.ts'
import type { Machine } from './machine.ts'
import type { Sighting } from './measure.ts'

export type Watch = { sightings: readonly Sighting[]; stop: () => Promise<void> }

const lookEveryMs = 200
const connectMs = 1_000
/** A commit that waits for a standby is no write yet. */
const answerMs = 2_000

/** The jobs that ended well are deleted: PostgreSQL counts them. Of its counts it tells within a second. */
const lookSql = `SELECT pg_is_in_recovery() AS standby, (SELECT n_tup_del::int FROM pg_stat_user_tables
  WHERE schemaname = 'graphile_worker' AND relname = '_private_jobs') AS done`
const writeSql = 'INSERT INTO drill.writes DEFAULT VALUES'

export async function prepareWatch(pool: Pool): Promise<void> {
  await pool.query('CREATE SCHEMA IF NOT EXISTS drill')
  await pool.query(
    'CREATE TABLE IF NOT EXISTS drill.writes (at timestamptz NOT NULL DEFAULT clock_timestamp())',
  )
}

/** Looks at every PostgreSQL itself, past all gateways: who can be read, who takes writes, whether jobs end. */
export function watchDatabase(cluster: Cluster): Watch {
  const over = new AbortController()
  const sightings: Sighting[] = []
  const look = async (machine: Machine, pool: Pool, last: { done: number }) => {
    const { rows } = await pool.query<{ standby: boolean; done: number | null }>(lookSql)
    const saw = (kind: Sighting['kind']) => sightings.push({ kind, machine: machine.name, atMs: Date.now() })
    saw('read')
    const [row] = rows
    if (!row || row.standby) return
    if (row.done !== null && row.done > last.done) saw('job')
    last.done = row.done ?? 0
    await pool.query(writeSql)
    saw('write')
  }
  const watch = async (machine: Machine) => {
    const pool = openPool(cluster.addressOf(machine), {
      applicationName: 'drill-watch',
      maxConnections: 1,
      connectTimeoutMs: connectMs,
      statementTimeoutMs: answerMs,
    })
    const last = { done: Number.POSITIVE_INFINITY }
    while (!over.signal.aborted) {
      await look(machine, pool, last).catch(() => undefined)
      await scheduler.wait(lookEveryMs, { signal: over.signal }).catch(() => undefined)
    }
    await pool.end()
  }
  const watching = Promise.all(cluster.machines.map(watch))
  return {
    sightings,
    stop: async () => {
      over.abort()
      await watching
    },
  }
}
