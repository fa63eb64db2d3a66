import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from './find-account.ts'

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
