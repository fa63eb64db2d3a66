import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askOne, clusterAddress, withConnection } from './cluster.ts'
import { copyCluster, handOver } from './cluster-files.ts'
import { stopPostmaster } from './postmaster.ts'
import { startOnFreePort } from './start-server.ts'
import { describeThrowaway, openThrowawayHome, parentLike } from './start-throwaway-server.ts'

export type Replica = {
  /** The address of the same database there, as the user of the address that was given. */
  databaseUrl: string
  /** From now on what arrives is kept but not shown, until `replay`. */
  pause(): Promise<void>
  replay(): Promise<void>
  /** Makes it a primary of its own. */
  promote(): Promise<void>
  /** Stops the server; `start` brings it back at the same address, and it catches up. */
  halt(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

const quoted = (value: string) => `''${value.replaceAll("'", "''''")}''`

/** What the replica connects to, as a value of PostgreSQL's own configuration. */
function connectionTo(primary: URL): string {
  const words = {
    host: primary.hostname,
    port: primary.port,
    user: primary.username,
    password: primary.password,
  }
  return Object.entries(words)
    .map(([word, value]) => `${word}=${quoted(decodeURIComponent(value))}`)
    .join(' ')
}

/** Copies the files of a running server as a base backup does. */
async function copyRunning(primaryUrl: string, folder: string, account: Parameters<typeof copyCluster>[2]) {
  await withConnection(primaryUrl, async (client) => {
    const { rows } = await client.query<{ folder: string }>(
      `SELECT current_setting('data_directory') AS folder FROM pg_backup_start('replica', fast => true)`,
    )
    copyCluster(rows[0]?.folder ?? '', folder, account)
    const { rows: stopped } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
    )
    for (const [name, text] of [
      ['backup_label', stopped[0]?.label ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      handOver(join(folder, name), account)
    }
  })
}

/**
 * A hot standby that streams from a throwaway server of this machine, gone with its data when this process ends, however
 * it ends. The address is the one of that server's superuser.
 */
export async function startReplica(primaryUrl: string): Promise<Replica> {
  const primary = new URL(primaryUrl)
  const folder = String(await askOne(primaryUrl, 'SHOW data_directory'))
  const { home, cleanUp } = openThrowawayHome(parentLike(folder))
  try {
    const programs = await askOne(primaryUrl, `SELECT setting FROM pg_config WHERE name = 'BINDIR'`)
    const described = describeThrowaway(home, dirname(String(programs)))
    const cluster = {
      ...described,
      settings: { ...described.settings, primary_conninfo: connectionTo(primary), hot_standby: 'on' },
    }
    writeFileSync(cluster.passwordFile, `${decodeURIComponent(primary.password)}\n`, { mode: 0o600 })
    await copyRunning(primaryUrl, cluster.folder, cluster.account)
    const { port } = await startOnFreePort(cluster)
    const databaseUrl = clusterAddress(cluster, { port, database: primary.pathname.slice(1) })
    const run = async (sql: string) => {
      await withConnection(databaseUrl, (client) => client.query(sql))
    }
    return {
      databaseUrl,
      pause: () => run('SELECT pg_wal_replay_pause()'),
      replay: () => run('SELECT pg_wal_replay_resume()'),
      promote: () => run('SELECT pg_promote()'),
      halt: () => stopPostmaster(cluster.folder),
      start: async () => void (await startOnFreePort(cluster, port)),
      stop: cleanUp,
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}
