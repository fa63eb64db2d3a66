import { chmodSync, copyFileSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { handOver } from './file-rights.ts'
import type { Account } from './find-account.ts'

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
