import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Account,
  answers,
  type Cluster,
  clusterAddress,
  EmbeddedPostgresError,
  findAccount,
  isRoot,
  withConnection,
} from './cluster.ts'
import { chooseHome, makePassableFolder, type Places, placesIn, rootsFolder } from './cluster-files.ts'
import { asProgramUser, createClusterIfMissing, createProgramUser, keptPassword } from './create-cluster.ts'
import { findBinaries, findBinariesOr } from './find-binaries.ts'
import { type Postmaster, settledPostmaster, stopPostmaster } from './postmaster.ts'
import { holdLock, isAlive, isSame, ownIdentity, readIdentity } from './process-lock.ts'
import { rotateLog, startOnFreePort } from './start-server.ts'

export type EmbeddedOptions = {
  /** The role that the programs' user is a member of; made when missing. */
  memberOf: string
  /** The checkout whose database this is; by default the one this file lies in. Say it when calling from a bundle. */
  checkoutFolder?: string
  /** Where to keep the data instead of the place chosen for the checkout. Root's must be passable by other users. */
  dataFolder?: string
  /** A folder with `bin`, `lib` and `share` of another PostgreSQL than the embedded one, which its data belong to. */
  binaries?: string
  /** Its name; made when missing. Default `meridian`. */
  database?: string
  /** Gets one line for each thing that takes time. */
  log?: (line: string) => void
}

export type Embedded = {
  /** As the owner of everything: for migrations and commands. */
  databaseUrl: string
  /** As the user of the API and the workers, who cannot rewrite what is append-only. */
  runtimeUrl: string
  /** Where the API lists who was erased, so that no backup brings them back. */
  erasureListFile: string
  /** This call made us its owner: it started the server, or took it over from a command that died. */
  startedHere: boolean
  /** Stops the server when `startedHere`, else does nothing. May be called twice. */
  stop(): Promise<void>
}

/**
 * The embedded PostgreSQL of this checkout, running: starts it when it does not run, creates it when there is none.
 * It is a process of its own that outlives us, until the command that owns it stops it.
 * @throws EmbeddedPostgresError with one line for the person at the terminal
 */
export async function ensureEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const home =
    options.dataFolder ?? chooseHome(options.checkoutFolder ?? join(import.meta.dirname, '../../..'))
  return ensureIn(home, options).catch((error: unknown) => {
    throw error instanceof EmbeddedPostgresError ? error : unusable(home, error)
  })
}

async function ensureIn(home: string, options: EmbeddedOptions): Promise<Embedded> {
  makePassableFolder(home)
  const places = placesIn(home)
  return holdLock(places.lock, async () => {
    const cluster = describeCluster(places, options.binaries)
    const postmaster = (await answeringPostmaster(cluster)) ?? (await start(cluster, places, options))
    rotateLog(places.log)
    const startedHere = takeOwnership(places)
    const databaseUrl = clusterAddress(cluster, {
      port: postmaster.port,
      database: options.database ?? 'meridian',
    })
    const runtimeUrl = await prepareDatabase(databaseUrl, places, options.memberOf).catch(
      async (error: unknown) => {
        if (startedHere) await giveUp(places)
        throw error
      },
    )
    return {
      databaseUrl,
      runtimeUrl,
      erasureListFile: places.erasures,
      startedHere,
      stop: () => stopIfOwned(places, startedHere),
    }
  })
}

/** The server that runs already. One that was just killed is there for a moment longer, but answers nobody. */
async function answeringPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  for (const patienceEnds = Date.now() + 30_000; ; await pause(20)) {
    const found = await settledPostmaster(cluster.folder)
    if (found === null || Date.now() > patienceEnds) return found
    if (await answers(clusterAddress(cluster, { port: found.port, database: 'postgres' }))) return found
  }
}

/** The cluster of these places, as it is or will be. */
export function describeCluster(places: Places, given?: string): Cluster {
  const account = accountOf(places.cluster) ?? findAccount()
  const binaries = given ?? (isRoot() ? findBinaries(rootsFolder) : findBinariesOr(places.home))
  return {
    binaries,
    account,
    folder: places.cluster,
    passwordFile: places.password,
    log: places.log,
    // Changing the mode takes a restart, changing the command does not: a backup sets it later.
    settings: { archive_mode: 'on', archive_command: 'exit 0' },
  }
}

// An existing cluster runs as whoever owns it, even if a better account has appeared since.
function accountOf(folder: string): Account {
  const found = isRoot() ? statSync(folder, { throwIfNoEntry: false }) : undefined
  return found ? { uid: found.uid, gid: found.gid } : null
}

async function start(cluster: Cluster, places: Places, { log }: EmbeddedOptions): Promise<Postmaster> {
  if (!existsSync(places.cluster)) log?.(`Creating a PostgreSQL database in ${places.home}`)
  await createClusterIfMissing(cluster)
  const postmaster = await startOnFreePort(cluster, readPort(places))
  writeFileSync(places.port, `${postmaster.port}\n`)
  log?.(`PostgreSQL listens on 127.0.0.1:${postmaster.port}`)
  return postmaster
}

function readPort({ port }: Places): number | null {
  const number = existsSync(port) ? Number(readFileSync(port, 'utf8')) : 0
  return Number.isInteger(number) && number > 0 && number < 65_536 ? number : null
}

// Whoever finds the owner dead becomes the owner; within one process the first caller is.
function takeOwnership({ owner }: Places): boolean {
  const known = readIdentity(owner)
  if (known !== null && isAlive(known)) return false
  writeFileSync(owner, JSON.stringify(ownIdentity()))
  return true
}

async function stopIfOwned(places: Places, startedHere: boolean): Promise<void> {
  if (!startedHere) return
  await holdLock(places.lock, async () => {
    if (isSame(readIdentity(places.owner), ownIdentity())) await giveUp(places)
  })
}

async function giveUp({ cluster, owner }: Places): Promise<void> {
  await stopPostmaster(cluster)
  rmSync(owner, { force: true })
}

async function prepareDatabase(databaseUrl: string, places: Places, memberOf: string): Promise<string> {
  await createDatabaseIfMissing(databaseUrl)
  const password = keptPassword(places.programPassword)
  await createProgramUser(databaseUrl, { memberOf, password })
  return asProgramUser(databaseUrl, password)
}

async function createDatabaseIfMissing(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await withConnection(databaseUrl, async () => undefined).catch(async (error: unknown) => {
    if (!isMissingDatabase(error)) throw error
    const maintenance = new URL('/postgres', databaseUrl).href
    await withConnection(maintenance, (client) =>
      client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`),
    )
  })
}

function isMissingDatabase(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '3D000'
}

function unusable(home: string, cause: unknown): EmbeddedPostgresError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmbeddedPostgresError(`The embedded PostgreSQL in ${home} cannot be used: ${reason}`, { cause })
}
