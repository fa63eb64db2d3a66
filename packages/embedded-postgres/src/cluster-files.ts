import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, isRoot } from './cluster.ts'

/** Root's checkout may lie where the server's own user cannot go, so what that user needs lies here. */
export const rootsFolder = '/var/lib/meridian'

/** Where the files of one embedded database are. */
export type Places = {
  home: string
  /** PostgreSQL's data directory. */
  cluster: string
  password: string
  /** Of the user as whom the programs run. */
  programPassword: string
  port: string
  log: string
  lock: string
  owner: string
  /** Who was erased: outside of what a backup brings back. */
  erasures: string
}

/** The place of a checkout's database: below the checkout, or for root below /var/lib/meridian. */
export function chooseHome(checkoutFolder: string): string {
  if (!isRoot()) return join(checkoutFolder, '.data/postgres')
  const name = createHash('sha256').update(realpathSync(checkoutFolder)).digest('hex').slice(0, 16)
  return join(rootsFolder, name)
}

export function placesIn(home: string): Places {
  const at = (name: string) => join(home, name)
  return {
    home,
    cluster: at('cluster'),
    password: at('password'),
    programPassword: at('program-password'),
    port: at('port'),
    log: at('server.log'),
    lock: at('lock'),
    owner: at('owner'),
    erasures: at('erasures.jsonl'),
  }
}

/** Makes a folder that everybody may pass through, whatever the umask of whoever runs this. */
export function makePassableFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true })
  if (made === undefined) return
  for (let each = folder; each.length >= made.length; each = dirname(each)) chmodSync(each, 0o755)
}

/** Makes an empty folder that only the account can enter. */
export function makePrivateFolder(folder: string, account: Account): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  handOver(folder, account)
}

export function handOver(path: string, account: Account): void {
  if (account !== null) chownSync(path, account.uid, account.gid)
}

/** Opens a tree of files to every reader: they may come from an installation under a tight umask. */
export function letEverybodyRead(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const file = join(path, entry.name)
    if (entry.isDirectory()) letEverybodyRead(file)
    else if (entry.isFile())
      chmodSync(file, statSync(file).mode | (entry.parentPath.endsWith('/bin') ? 0o555 : 0o444))
  }
  chmodSync(path, 0o755)
}

/** What PostgreSQL says not to copy: its contents belong to the running server or come from the archive. */
const emptied = new Set(
  'pg_wal pg_replslot pg_dynshmem pg_notify pg_serial pg_snapshots pg_stat_tmp pg_subtrans'.split(' '),
)
const left = /^(postmaster\.(pid|opts)|pgsql_tmp.*|meridian\.conf|recovery\.signal|standby\.signal)$/

/**
 * Copies a data directory, of a running server too (between backup start and stop); files may vanish meanwhile.
 * Everything in the copy belongs to the account. Answers how many bytes were copied.
 */
export function copyCluster(from: string, to: string, account: Account): number {
  mkdirSync(to, { mode: 0o700 })
  chmodSync(to, 0o700)
  handOver(to, account)
  let bytes = 0
  for (const name of listed(from)) {
    if (left.test(name)) continue
    const [source, target] = [join(from, name), join(to, name)]
    const found = lstatSync(source, { throwIfNoEntry: false })
    if (found?.isDirectory()) {
      bytes += emptied.has(name) ? makeEmpty(source, target, account) : copyCluster(source, target, account)
    } else if (found?.isFile() && copied(source, target)) {
      handOver(target, account)
      bytes += found.size
    }
  }
  return bytes
}

/** The folder without its files, which the server expects all the same. */
function makeEmpty(source: string, target: string, account: Account): number {
  mkdirSync(target, { mode: 0o700 })
  handOver(target, account)
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    if (entry.isDirectory()) makeEmpty(join(source, entry.name), join(target, entry.name), account)
  }
  return 0
}

function listed(folder: string): string[] {
  return unlessGone(() => readdirSync(folder)) ?? []
}

const copied = (source: string, target: string): boolean =>
  unlessGone(() => {
    copyFileSync(source, target)
    return true
  }) ?? false

function unlessGone<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** What a file of JSON holds, for whoever then looks what it is. */
export const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The member of this name; undefined where the value is no object or has none. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
