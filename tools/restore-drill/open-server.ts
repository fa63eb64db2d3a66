import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  askOne,
  type Cluster,
  clusterAddress,
  clusterUser,
  findAccount,
  findPostmaster,
  guardServer,
  startOnFreePort,
  withConnection,
} from '@meridian/embedded-postgres/testing'
import { claimPort } from '@meridian/process'
import type { Programs } from './find-programs.ts'
import { type PgBackRest, type Prepare, preparePgBackRest } from './pgbackrest.ts'
import { makeServersFolder, runAsServer } from './run-as-server.ts'

const database = 'meridian'
const recoveryTimeoutMs = 600_000
const localPassword = 'restore-drill'

export type DataDirectory = {
  databaseUrl: string
  dataFolder: string
  /** Starts on the data directory as it lies there, replays what it has to, and takes writes. */
  start: () => Promise<void>
}
export type Server = DataDirectory & {
  backups: PgBackRest
  /** Kills the server as a power cut does, and takes its disk away. */
  destroy: () => Promise<void>
  /** A second data directory, empty, whose server archives nothing. */
  beside: () => Promise<DataDirectory & { remove: () => Promise<void> }>
  /** Stops the server and removes everything. */
  stop: () => Promise<void>
}

type Running = { cluster: Cluster; port: number }

async function start({ cluster, port }: Running): Promise<void> {
  const { port: taken } = await startOnFreePort(cluster, port)
  if (taken !== port) throw new Error(`PostgreSQL could not have port ${port} back`)
}

async function destroy({ folder }: Cluster): Promise<void> {
  const running = findPostmaster(folder)
  if (running) process.kill(running.pid, 'SIGKILL')
  // Its children write until they notice.
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
  // The new disk.
  makeServersFolder(folder)
}

/** A server that ends, with its folder, when this process does, however it ends. */
async function openFolder(
  home: string,
): Promise<{ dataFolder: string; port: number; remove: () => Promise<void> }> {
  mkdirSync(home)
  chmodSync(home, 0o755)
  const guard = guardServer(home)
  const claim = await claimPort()
  claim.release()
  return { dataFolder: makeServersFolder(join(home, 'cluster')), port: claim.port, remove: guard.cleanUp }
}

/**
 * A PostgreSQL of the system below this folder, empty, with the shipped settings for archiving, and its repository: in a
 * folder beside it where nothing else is said.
 */
export async function openServer(
  folder: string,
  { postgres, pgbackrest }: Programs,
  prepare: Prepare = preparePgBackRest,
): Promise<Server> {
  chmodSync(folder, 0o755)
  const home = join(folder, 'server')
  const { dataFolder, port, remove } = await openFolder(home)
  const socketFolder = makeServersFolder(join(home, 'socket'))
  const backups = await prepare(pgbackrest, { folder: home, dataFolder, socketFolder, port })
  const cluster: Cluster = {
    binaries: postgres,
    account: findAccount(),
    folder: dataFolder,
    passwordFile: join(home, 'password'),
    log: join(home, 'server.log'),
    startTimeoutMs: recoveryTimeoutMs,
    settings: {
      ...backups.serverSettings,
      unix_socket_directories: socketFolder,
      // "Ready" means that the end of the log is reached, not that somebody may look at the middle of it.
      hot_standby: 'off',
    },
  }
  await createCluster(cluster)
  await start({ cluster, port })
  await withConnection(clusterAddress(cluster, { port, database: 'postgres' }), (client) =>
    client.query(`CREATE DATABASE ${database}`),
  )
  return {
    databaseUrl: clusterAddress(cluster, { port, database }),
    dataFolder,
    backups,
    start: () => start({ cluster, port }),
    stop: async () => {
      await remove()
      await backups.stop()
    },
    destroy: () => destroy(cluster),
    beside: async () => {
      const other = await openFolder(join(folder, 'beside'))
      const settings = { ...cluster.settings, archive_mode: 'off' }
      const copy = { ...cluster, settings, folder: other.dataFolder, log: join(folder, 'beside.log') }
      return {
        databaseUrl: clusterAddress(copy, { port: other.port, database }),
        dataFolder: other.dataFolder,
        start: () => start({ cluster: copy, port: other.port }),
        remove: other.remove,
      }
    },
  }
}

async function createCluster({ binaries, folder, passwordFile, account }: Cluster): Promise<void> {
  writeFileSync(passwordFile, `${localPassword}\n`, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  await runAsServer(join(binaries, 'bin/initdb'), [
    `--pgdata=${folder}`,
    `--username=${clusterUser}`,
    `--pwfile=${passwordFile}`,
    // pgBackRest comes by the socket, which lies in a folder that the server's user alone may enter.
    ...['--auth-host=scram-sha-256', '--auth-local=trust'],
    ...['--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums'],
  ])
  appendFileSync(join(folder, 'postgresql.conf'), "include_if_exists = 'meridian.conf'\n")
}

/** Closes the piece of the log that is written to and waits until the repository has it. */
export async function archiveEverything({ databaseUrl }: Pick<DataDirectory, 'databaseUrl'>): Promise<void> {
  const piece = String(await askOne(databaseUrl, 'SELECT pg_walfile_name(pg_switch_wal())'))
  for (;;) {
    const last = await askOne(
      databaseUrl,
      `SELECT last_archived_wal >= '${piece}' FROM pg_stat_archiver, pg_sleep(0.1)`,
    )
    if (last === true) return
  }
}

/** From here on nothing of the log reaches the repository, as when the network to it is cut. */
export async function loseRepository({ databaseUrl }: Pick<DataDirectory, 'databaseUrl'>): Promise<void> {
  await withConnection(databaseUrl, async (client) => {
    await client.query(`ALTER SYSTEM SET archive_command = 'false'`)
    await client.query('SELECT pg_reload_conf()')
  })
}
