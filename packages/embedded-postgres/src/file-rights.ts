import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from './find-account.ts'

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
